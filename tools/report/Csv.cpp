//===- Csv.cpp - a report for spreadsheets ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Report.h"

#include "run/join/TorchRun.h"
#include "trace/rewrite/EventsCsv.h"

#include <fmt/format.h>

namespace seamscope::tools {
namespace {

std::string number(const std::optional<int64_t> &Value) {
  return Value ? std::to_string(*Value) : "";
}
std::string number(const std::optional<double> &Value) {
  return Value ? fmt::format("{:.6g}", *Value) : "";
}

/// What a kernel did, and how fast: as in the JSON.
std::string workOf(const Efficiency &Rates) {
  return fmt::format("{},{},{},{},{},{}", number(Rates.Flop), number(Rates.Bytes),
                     number(Rates.FlopPerS), number(Rates.BytesPerS), number(Rates.FlopShare),
                     number(Rates.DramShare));
}

} // namespace

std::string reportCsv(const ReportInput &Input) {
  const Trace &Source = *Input.Source;
  std::string Text;
  if (Input.Baseline) {
    const Trace &Eager = *Input.Baseline->Eager;
    Text = "fused,fused_calls,fused_mean_ns,eager_mean_ns,speedup,approximate,op,count,eager,"
           "eager_calls,eager_row_mean_ns\r\n";
    for (const BaselinePair &Pair : Input.Baseline->Comparison->Pairs) {
      const KernelRow &Kernel = Input.Numbers->Kernels[Pair.Kernel];
      for (const ReplacedOperator &Op : Pair.Operators)
        for (const size_t Index : Op.Rows) {
          const EagerRow &Row = Input.Baseline->Comparison->Rows[Index];
          Text += fmt::format("{},{},{},{},{:.4f},{},{},{},{},{},{}\r\n",
                              csvField(Source.text(Source.Sites[Kernel.Site].Name)),
                              Kernel.Times.Calls, Pair.FusedMeanNs, Pair.EagerMeanNs, Pair.Speedup,
                              Pair.Approximate, csvField(Op.Name),
                              Op.Count ? std::to_string(*Op.Count) : "", csvField(Row.title(Eager)),
                              Row.Calls, roundedMean(Row.TotalNs, Row.Calls));
        }
    }
    return Text;
  }
  Text = "name,calls,total_ns,self_ns,mean_ns,min_ns,p50_ns,p99_ns,max_ns,open,abandoned,file,line,"
         "column,category,device,flop,bytes,flop_per_s,bytes_per_s,flop_peak_share,"
         "dram_peak_share,untimed_calls,total_stderr_ns\r\n";
  const EfficiencyInput *Work = Input.Devices ? Input.Devices->Efficiency : nullptr;
  size_t Shown = 0;
  for (const KernelRow &Row : Input.Numbers->Kernels) {
    if (Shown++ >= Input.Top)
      break;
    const Site &What = Source.Sites[Row.Site];
    Text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
        csvField(Source.text(What.Name)), Row.Times.Calls, Row.Times.TotalNs, number(Row.SelfNs),
        number(Row.Times.MeanNs), number(Row.Times.MinNs), number(Row.Times.MedianNs),
        number(Row.Times.P99Ns), number(Row.Times.MaxNs), Row.Open, Row.Abandoned,
        csvField(Source.text(What.File)), What.Line ? std::to_string(What.Line) : "",
        What.Column ? std::to_string(What.Column) : "",
        categoryName(categoryOf(Input.Torch, Source, Row.Site)),
        What.Device < 0 ? "" : std::to_string(What.Device),
        workOf(Work ? kernelEfficiency(*Work, What.Name, What.Device) : Efficiency()),
        Row.Times.Untimed ? Row.Times.Untimed->Calls : 0,
        Row.Times.Untimed ? number(Row.Times.Untimed->StderrNs) : "");
  }
  if (Input.Numbers->UnattributedNs)
    Text +=
        fmt::format("[unattributed],,,{},,,,,,,,,,,,,,,,,,,,\r\n", *Input.Numbers->UnattributedNs);
  return Text;
}

} // namespace seamscope::tools
