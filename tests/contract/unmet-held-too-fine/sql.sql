-- exit: 1
-- stderr: No generalization gives what the policy asks for: k_anonymity (k 3) stands in the way: the most general node gives 1.
-- stderr: 6 rows; 4 of 4 nodes measured in <seconds> s. The most general node:
-- stderr:   column  level  what is left of it  loss
-- stderr:   zip     3      *                   100%
-- stderr:   age     0      the value itself    0%
-- stderr:   guarantee    required  measured  verdict
-- stderr:   k_anonymity  k >= 3    1         NOT met
-- stderr: Closed unmeasured: 0 nodes below a failure, 0 above dear classes, 0 by single columns. 6 cells, staged in <seconds> s, searched in <seconds> s.

