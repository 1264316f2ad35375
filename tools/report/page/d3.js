// d3.js - the library, which stands before the scripts of the page in its element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

export const d3 = globalThis.d3;
