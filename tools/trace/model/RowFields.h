//===- RowFields.h - the fields of the rows of a trace --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names each field of the tables of a trace once, for what writes and what reads
// them as columns. An Event is not among them.
//
//===----------------------------------------------------------------------===//
#ifndef SEAMSCOPE_TOOLS_TRACE_MODEL_ROWFIELDS_H
#define SEAMSCOPE_TOOLS_TRACE_MODEL_ROWFIELDS_H

#include "trace/model/Trace.h"

namespace seamscope::tools {

/// visit(Row, Visit) calls, for each field, Visit.number(name, field), or for what is a number of
/// another table, Visit.text(), site() or track().
template <typename RowT> struct RowFields {
  static constexpr const char *Name = nullptr; ///< no table has such rows
};

template <> struct RowFields<Site> {
  static constexpr const char *Name = "site";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.text("name", Of.Name);
    Visit.text("category", Of.Category);
    Visit.text("kernel", Of.Kernel);
    Visit.text("group", Of.Group);
    Visit.text("node", Of.Node);
#define SEAMSCOPE_ARGUMENT_TEXT(Field, Key) Visit.text(Key, Of.Field);
#define SEAMSCOPE_ARGUMENT_NUMBER(Field, Key) Visit.number(Key, Of.Field);
#include "format/site-arguments.def"
    Visit.text("input_dims", Of.InputDims);
    Visit.text("input_types", Of.InputTypes);
    Visit.text("input_strides", Of.InputStrides);
    Visit.text("input_values", Of.InputValues);
    Visit.number("flop", Of.Flop);
    Visit.number("bytes", Of.Bytes);
    Visit.number("device", Of.Device);
  }
};

template <> struct RowFields<Track> {
  static constexpr const char *Name = "track";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.text("process", Of.Process);
    Visit.text("thread", Of.Thread);
    Visit.text("thread_name", Of.ThreadName);
  }
};

template <> struct RowFields<Process> {
  static constexpr const char *Name = "process";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.text("pid", Of.Pid);
    Visit.text("name", Of.Name);
    Visit.text("labels", Of.Labels);
  }
};

template <> struct RowFields<Correlation> {
  static constexpr const char *Name = "correlation";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("id", Of.Id);
  }
};

template <> struct RowFields<OpenCall> {
  static constexpr const char *Name = "open";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("guessed", Of.Guessed);
  }
};

template <> struct RowFields<SequenceNumber> {
  static constexpr const char *Name = "sequence";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("number", Of.Number);
    Visit.number("forward_thread", Of.ForwardThread);
  }
};

template <> struct RowFields<FlowEnd> {
  static constexpr const char *Name = "flow_end";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("id", Of.Id);
    Visit.number("ts", Of.Ns);
    Visit.track("track", Of.Track);
    Visit.number("is_target", Of.IsTarget);
  }
};

template <> struct RowFields<PythonFrame> {
  static constexpr const char *Name = "python_frame";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("id", Of.Id);
    Visit.number("parent", Of.Parent);
  }
};

template <> struct RowFields<CallStack> {
  static constexpr const char *Name = "call_stack";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.text("frames", Of.Frames);
  }
};

template <> struct RowFields<LaunchShape> {
  static constexpr const char *Name = "launch_shape";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("grid_x", Of.Grid[0]);
    Visit.number("grid_y", Of.Grid[1]);
    Visit.number("grid_z", Of.Grid[2]);
    Visit.number("block_x", Of.Block[0]);
    Visit.number("block_y", Of.Block[1]);
    Visit.number("block_z", Of.Block[2]);
    Visit.number("registers", Of.Registers);
    Visit.number("shared_bytes", Of.SharedBytes);
    Visit.number("stream", Of.Stream);
  }
};

template <> struct RowFields<KernelInside> {
  static constexpr const char *Name = "kernel_inside";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("sms", Of.Sms);
    Visit.number("blocks", Of.Blocks);
    Visit.number("warps", Of.Warps);
    Visit.number("open_warps", Of.OpenWarps);
    Visit.number("lost_warps", Of.LostWarps);
    Visit.number("resident_blocks", Of.ResidentBlocks);
    Visit.number("share", Of.Share);
    Visit.number("waves", Of.Waves);
    Visit.number("tail_percent", Of.TailPercent);
    Visit.number("sm_imbalance", Of.SmImbalance);
    Visit.number("warp_imbalance", Of.WarpImbalance);
  }
};

template <> struct RowFields<LaunchCounters> {
  static constexpr const char *Name = "launch_counters";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.text("counts", Of.Counts);
    Visit.text("words", Of.Words);
    Visit.text("unknown", Of.Unknown);
  }
};

template <> struct RowFields<KernelCapture> {
  static constexpr const char *Name = "kernel_capture";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.site("site", Of.Site);
  }
};

template <> struct RowFields<KernelLoop> {
  static constexpr const char *Name = "kernel_loop";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.site("site", Of.Site);
    Visit.number("parent", Of.Parent);
    Visit.number("entries", Of.Entries);
    Visit.number("clocks", Of.Clocks);
    Visit.number("kernel_clocks", Of.KernelClocks);
    Visit.number("threads", Of.Threads);
  }
};

template <> struct RowFields<CollectiveCall> {
  static constexpr const char *Name = "collective_call";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.text("name", Of.Name);
    Visit.text("type", Of.Type);
    Visit.text("group", Of.Group);
    Visit.text("ranks", Of.Ranks);
    Visit.number("in_elements", Of.InElements);
    Visit.number("out_elements", Of.OutElements);
    Visit.number("group_size", Of.GroupSize);
  }
};

template <> struct RowFields<CopySize> {
  static constexpr const char *Name = "copy_size";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("bytes", Of.Bytes);
  }
};

template <> struct RowFields<DeviceSync> {
  static constexpr const char *Name = "device_sync";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("correlation", Of.Correlation);
    Visit.number("stream", Of.Stream);
    Visit.number("other_stream", Of.OtherStream);
    Visit.number("record", Of.Record);
    Visit.number("device", Of.Device);
  }
};

template <> struct RowFields<MemoryChange> {
  static constexpr const char *Name = "memory_change";
  template <typename T, typename FnT> static void visit(T &Of, FnT &&Visit) {
    Visit.number("ts", Of.Ns);
    Visit.track("track", Of.Track);
    Visit.number("bytes", Of.Bytes);
    Visit.number("allocated", Of.Allocated);
    Visit.number("reserved", Of.Reserved);
    Visit.number("address", Of.Address);
    Visit.number("device_type", Of.DeviceType);
    Visit.number("device", Of.Device);
  }
};

} // namespace seamscope::tools
#endif // SEAMSCOPE_TOOLS_TRACE_MODEL_ROWFIELDS_H
