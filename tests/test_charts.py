from bpeviz.charts import PairBar, pair_chart

BARS = [
    PairBar("e", "d", 7, "next"),
    PairBar("h", "a", 7, "tied"),
    PairBar("<b>x</b>", "&", 3, "other"),
]


def test_the_next_merge_is_solid_its_ties_hatched_and_the_rest_quiet() -> None:
    following, tied, other = pair_chart(BARS, ink="#000").data
    assert list(following.x) == [7]
    assert following.marker.pattern.shape is None
    assert tied.marker.pattern.shape == "/"
    assert tied.marker.color == following.marker.color != other.marker.color


def test_bars_stand_at_their_place_from_the_top() -> None:
    figure = pair_chart(BARS, ink="#000")
    assert [list(trace.y) for trace in figure.data] == [[0], [1], [2]]
    assert list(figure.layout.yaxis.range) == [2.5, -0.5]


def test_labels_are_escaped_because_plotly_reads_them_as_markup() -> None:
    figure = pair_chart(BARS, ink="#000")
    assert figure.data[2].customdata[0] == "\u2068&lt;b&gt;x&lt;/b&gt;\u2069 + \u2068&amp;\u2069"
    assert "<b>" not in figure.to_json().replace("\\u003c", "<")


def test_quotes_stay_quotes_because_plotly_does_not_know_their_entities() -> None:
    figure = pair_chart([PairBar('"', "'", 1, "other")], ink="#000")
    assert figure.layout.yaxis.ticktext[0] == "\u2068\"\u2069 + \u2068'\u2069"


def test_two_pairs_that_look_alike_keep_a_bar_each() -> None:
    figure = pair_chart([PairBar("a", "b", 2, "other"), PairBar("a", "b", 1, "other")], ink="#000")
    assert list(figure.data[2].y) == [0, 1]


def test_a_chart_of_no_pairs_is_empty() -> None:
    assert all(len(trace.x) == 0 for trace in pair_chart([], ink="#000").data)


def test_there_is_room_for_wide_characters_but_not_without_end() -> None:
    def room(text: str) -> float:
        return pair_chart([PairBar(text, "x", 1, "other")], ink="#000").layout.margin.l

    assert room("aa") < room("灯台") < room("灯" * 40) == room("灯" * 80)
