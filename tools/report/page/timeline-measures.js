// timeline-measures.js - sizes that layout, painting and input of a timeline share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

export const TrackHeight = 16;  // of a row of events, in pixels
export const LeastSpan = 20;    // ns in view
