// A page with values in place of its marks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withValues } from "../../bpeviz/browser/playground/saved_page.js";

test("a value that holds another mark stays as it is", () => {
  const page = "<title>@title@</title><p>@readable@</p><script>old</script>@title@";
  const values = /** @type {[string | RegExp, string][]} */ ([
    ["@readable@", "@title@ $& <script>no</script>"],
    [/(<script>)[^<]*/, "new"],
    ["@title@", "@readable@"],
  ]);
  assert.equal(
    withValues(page, values),
    "<title>@readable@</title><p>@title@ $& <script>no</script></p><script>new</script>@title@",
  );
});
