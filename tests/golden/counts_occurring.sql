(occurs_2_0 + occurs_2_1)
