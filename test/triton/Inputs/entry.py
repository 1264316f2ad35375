"""entry.py FILE.ptx...: what the tables of kernels in PTX say of each (SeamscopeGpuKernel)."""

import re
import struct
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"__seamscope_gpu_kernel_v1_(\w+)\[\d+\] = \{([^}]*)\}", file.read())
    for symbol, numbers in found:
        data = bytes(int(number) & 255 for number in numbers.split(","))
        size, number, line, name, linkage, source, ops, loops = struct.unpack_from("<8I", data)
        data += bytes(size - len(data))  # zeros at the end are not written

        def text(offset):
            return data[offset:data.index(b"\0", offset)].decode() if offset else ""

        print(f"symbol={symbol} name={text(name)} linkage={text(linkage)} {text(source)}:{line}")
