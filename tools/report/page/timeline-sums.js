// timeline-sums.js - the contents of a range of a timeline: calls and time by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Self time is an event's time less that of the events directly inside it, both clipped.
function sumsOfRange(lanes, begin, end, nameCount) {
  const calls = new Float64Array(nameCount), total = new Float64Array(nameCount),
        own = new Float64Array(nameCount);
  const open = [];
  for (const events of lanes) {
    open.length = 0;
    for (let event = 0; event < events.count; ++event) {
      const from = events.begin[event];
      if (from >= end)
        break;
      while (open.length && events.end[open[open.length - 1]] <= from)
        open.pop();
      const to = events.end[event];
      // An event without a duration counts where it is.
      if (to > begin || (to === from && from >= begin)) {
        const clipped = Math.min(to, end) - Math.max(from, begin);
        const name = events.name[event];
        ++calls[name];
        total[name] += clipped;
        own[name] += clipped;
        if (open.length) {
          const above = open[open.length - 1];
          // An event that continues after its parent ended is inside it only up to there.
          own[events.name[above]] -=
              Math.max(0, Math.min(to, end, events.end[above]) - Math.max(from, begin));
        }
      }
      open.push(event);
    }
  }
  const rows = [];
  for (let name = 0; name < nameCount; ++name)
    if (calls[name])
      rows.push({name, calls: calls[name], total: total[name], own: own[name]});
  rows.sort((left, right) => right.total - left.total || left.name - right.name);
  return rows;
}

export function sumsTable(timeline, begin, end, title) {
  const {names, kinds} = timeline;
  const sums = sumsOfRange(timeline.lanes, begin, end, names.length);
  const column = (cellOf) => sums.map(cellOf);
  return {
    title,
    arrays: [
      column(({name}) => names.cell(name)), column(({name}) => kinds[name]),
      column(({calls}) => calls), column(({total}) => total), column(({own}) => own),
      column(({total, calls}) => total / calls),
      column(({total}) => end > begin ? total / (end - begin) * 100 : null)
    ],
    names: column(({name}) => name),
    top: 50,
    columns: [
      {key: "name", title: "Name", unit: "name", texts: names.packed},
      {key: "kind", title: "Kind", unit: "text"}, {
        key: "calls",
        title: "Calls",
        unit: "count",
        total: "sum",
        help: "Events that are at least partly within the range"
      },
      {
        key: "total_ns",
        title: "Total",
        unit: "ns",
        bar: true,
        help: "Time of the events within the range; nested events count in those around them too"
      },
      {
        key: "own_ns",
        title: "Own",
        unit: "ns",
        total: "sum",
        bar: true,
        help: "Time within the range less that of the events directly within"
      },
      {key: "mean_ns", title: "Mean", unit: "ns"}, {
        key: "share",
        title: "Share",
        unit: "percent",
        help: "Total, of the length of the range: above 100% where events run at the same time"
      }
    ]
  };
}
