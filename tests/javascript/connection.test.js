// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { serverOf, whatToSay } from "../../bpeviz/browser/app_page/connection.js";

const FINE = { began: 0, known: true, lostAt: null, sentAt: null };

test("while all is well, and in the first three seconds of a fault, the page says nothing", () => {
  for (const link of [
    FINE,
    { ...FINE, known: false, began: 98_000 },
    { ...FINE, lostAt: 98_000 },
    { ...FINE, sentAt: 98_000 },
  ]) {
    assert.equal(whatToSay(link, 100_000), "");
  }
});

test("then it says what happened, that the session is saved, and what to do", () => {
  assert.match(
    whatToSay({ ...FINE, known: false }, 4_000),
    /needs a WebSocket, which a proxy may block\. Reload/,
  );
  assert.match(whatToSay({ ...FINE, lostAt: 1_000 }, 4_000), /is away\. Your session is saved.*reconnects/);
  assert.match(
    whatToSay({ ...FINE, sentAt: 1_000 }, 9_500),
    /hasn't answered for 8 s\. Your session is saved/,
  );
});

test("a lost connection comes first: without one, nothing that was sent can be answered", () => {
  assert.match(whatToSay({ ...FINE, lostAt: 1_000, sentAt: 500 }, 9_000), /away/);
});

test("the server is one level above our pages, also behind a path, and elsewhere Streamlit looks for it", () => {
  assert.equal(serverOf("http://a.org/compare?run=1"), "http://a.org/");
  assert.equal(serverOf("http://a.org/tools/bpe/learn#top"), "http://a.org/tools/bpe/");
  for (const path of ["", "tools/bpe", "tools/bpe/", "compare/"]) {
    assert.equal(serverOf(`http://a.org/${path}`), null);
  }
});
