"""Values of each type that a browser may send of a field, as long as a test wants."""

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from streamlit.proto.WidgetStates_pb2 import WidgetState

__all__ = ["VALUE_FIELDS", "full"]

#: The types, from Streamlit itself: a test of all of them forgets none that it adds.
VALUE_FIELDS: tuple[FieldDescriptor, ...] = tuple(WidgetState.DESCRIPTOR.oneofs_by_name["value"].fields)
_NESTED = "[[[[[[[[[[]]]]]]]]]],"


def full(field: FieldDescriptor, size: int, text: str = "") -> WidgetState:
    """A state of a widget with a value of some ``size`` in bytes, if the type has values of that size, of as
    many parts as it can have. A ``text`` is JSON of many lists by default."""
    state = WidgetState(id="x")
    _fill(state, field, size, text or f"[{_NESTED * (size // len(_NESTED))}0]")
    return state


def _fill(message: Message, field: FieldDescriptor, size: int, text: str) -> None:
    if field.type == FieldDescriptor.TYPE_MESSAGE and field.is_repeated:
        for _ in range(size // 2):
            getattr(message, field.name).add()
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        inner = getattr(message, field.name)
        inner.SetInParent()
        for each in sorted(field.message_type.fields, key=lambda each: each.is_repeated)[-1:]:
            _fill(inner, each, size, text)
    elif field.is_repeated:
        value = "" if field.type == FieldDescriptor.TYPE_STRING else 0
        getattr(message, field.name).extend([value] * size)
    else:
        values = {FieldDescriptor.TYPE_STRING: text, FieldDescriptor.TYPE_BYTES: bytes(size)}
        setattr(message, field.name, values.get(field.type, 1))
