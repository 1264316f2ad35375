// timing.js - deferred work: to the next frame, to a pause in typing, to the browser's next turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gives the browser its turn during long work; a message arrives sooner than a timer.
export function pause() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

export function later(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

// One call for each frame, however often it is requested.
export function oncePerFrame(action) {
  let asked = false;
  return () => {
    if (asked)
      return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      action();
    });
  };
}
