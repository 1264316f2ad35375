-- Work of kernels as far as it is known: GFLOP/s and GB/s.
select name, device, count(*) as calls, sum(flop) as flop, sum(bytes) as bytes,
       1.0 * sum(case when flop is not null then flop end) /
         sum(case when flop is not null and dur > 0 then dur end) as gflop_per_s,
       1.0 * sum(case when bytes is not null then bytes end) /
         sum(case when bytes is not null and dur > 0 then dur end) as gb_per_s
from slice
where kind = 'kernel' and (flop is not null or bytes is not null)
group by name, device
order by calls desc, name, device
