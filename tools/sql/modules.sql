-- Time of devices by nn.Module: work that ran for it, without the modules inside; unattributed: its launch is not there.
select coalesce(module, case when launch_id is null then '[unattributed]' else '[no module]' end) as module,
  count(*) as calls, sum(dur) as total_ns
from slice
where device is not null and exists (select 1 from slice where module is not null)
group by 1
order by total_ns desc, module
