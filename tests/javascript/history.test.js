import assert from "node:assert/strict";
import { test } from "node:test";
import { addsSession, namesAnother } from "../../bpeviz/browser/app_page/history.js";

const HERE = "http://localhost:8501/";

test("an address that only gets a session's id is no other page", () => {
  assert.ok(addsSession(`${HERE}learn`, "/learn?session=abc"));
  assert.ok(addsSession(HERE, "/?session=abc"));
  assert.ok(addsSession(`${HERE}learn?stop=2&lesson=a`, "/learn?session=abc&lesson=a&stop=2"));
  assert.ok(addsSession(`${HERE}app/learn`, `${HERE}app/learn?session=abc`));
});

test("another page, another place of a page, another session and none are entries of their own", () => {
  assert.ok(!addsSession(HERE, "/learn?session=abc"));
  assert.ok(!addsSession(`${HERE}learn?stop=2`, "/learn?session=abc&stop=3"));
  assert.ok(!addsSession(`${HERE}learn?stop=2`, "/learn?session=abc"));
  assert.ok(!addsSession(`${HERE}?session=abc`, "/?session=abd"));
  assert.ok(!addsSession(`${HERE}?session=abc`, "/"));
  assert.ok(!addsSession(HERE, "/?text=abc"));
});

test("an address names another session, the same one or none", () => {
  assert.ok(namesAnother(`${HERE}?session=abc`, ""));
  assert.ok(namesAnother(`${HERE}learn?session=abc&stop=2`, "abd"));
  assert.ok(!namesAnother(`${HERE}?session=abc`, "abc"));
  assert.ok(!namesAnother(HERE, "abc"));
});
