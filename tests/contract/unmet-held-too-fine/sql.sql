-- exit: 1
-- stderr: No combination of levels gives what the policy asks for: k_anonymity (k 3) stands in the way: the most general node gives 1.
-- stderr: 6 rows; 4 of 4 combinations of levels measured (<seconds> s). The most general one:
-- stderr:   column  level  what is left of it  loss
-- stderr:   zip     3      *                   100%
-- stderr:   age     0      the value itself    0%
-- stderr:   guarantee    required  measured  verdict
-- stderr:   k_anonymity  k >= 3    1         NOT met
-- stderr: 6 distinct combinations of values. Preparation <seconds> s, search <seconds> s.

