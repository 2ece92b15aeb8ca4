// Sends the player on the page to a step that something else on the page asked for.

export default function ({ data }) {
  const { serial, step } = data;
  if (serial === 0 || document.bpevizAsked === serial) return;
  document.bpevizAsked = serial;
  document.bpevizPlayer?.jump(step);
}
