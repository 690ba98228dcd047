-- Makes `people`: invented answers to an invented census of everyone from 16 to 89, on 2020-04-01.
--
-- reads: the session variables `rows` (how many people) and `seed` (a whole number).
-- gives: people, one row per person, numbered from 1. A row depends on `seed` and its number alone, so
--        the same seed gives the same rows on every machine, and a larger table begins with a smaller one.
--
-- Every draw is three decimal digits of an MD5 of (seed, person, hash number), and everything after that
-- is whole numbers: no random(), whose stream belongs to one version of DuckDB and one number of threads,
-- and no floats.
CREATE TABLE people AS
WITH question_weight (question, answer, code, weights) AS (
  -- One row per possible answer. `weights` holds one weight per condition, in parts of whatever the
  -- condition's weights sum to; `code` is what later questions depend on.
  VALUES
    -- condition: none. code: stage of life, 1 (16-19) to 6 (65 and older).
    ('age', '16-19', 1, [64]),
    ('age', '20-24', 2, [82]),
    ('age', '25-29', 3, [88]),
    ('age', '30-34', 3, [85]),
    ('age', '35-39', 4, [82]),
    ('age', '40-44', 4, [76]),
    ('age', '45-49', 4, [78]),
    ('age', '50-54', 5, [79]),
    ('age', '55-59', 5, [83]),
    ('age', '60-64', 5, [79]),
    ('age', '65-69', 6, [67]),
    ('age', '70-74', 6, [54]),
    ('age', '75-79', 6, [37]),
    ('age', '80-84', 6, [24]),
    ('age', '85-89', 6, [15]),
    -- condition: stage of life.
    ('sex', 'male', 0, [51, 51, 50, 50, 49, 44]),
    ('sex', 'female', 1, [49, 49, 50, 50, 51, 56]),
    -- condition: stage of life of men, then of women.
    ('marital status', 'never married', 0, [985, 860, 480, 190, 110, 50, 965, 770, 390, 160, 100, 50]),
    ('marital status', 'married', 0, [6, 95, 430, 640, 660, 700, 15, 160, 495, 630, 610, 440]),
    ('marital status', 'partnership', 0, [6, 30, 32, 14, 4, 1, 12, 42, 36, 14, 4, 1]),
    ('marital status', 'separated', 0, [1, 4, 9, 15, 14, 5, 2, 6, 15, 21, 17, 5]),
    ('marital status', 'divorced', 0, [1, 5, 29, 110, 170, 115, 2, 10, 38, 135, 190, 126]),
    ('marital status', 'widowed', 0, [0, 0, 1, 5, 25, 120, 0, 0, 2, 10, 60, 370]),
    -- condition: stage of life. code: schooling, 1 (no diploma) to 4 (university).
    ('education', 'no schooling', 1, [3, 3, 4, 6, 8, 14]),
    ('education', 'grade 1-6', 1, [4, 6, 11, 18, 21, 38]),
    ('education', 'grade 7-8', 1, [28, 8, 9, 14, 18, 60]),
    ('education', 'grade 9', 1, [130, 14, 13, 16, 17, 28]),
    ('education', 'grade 10', 1, [240, 18, 14, 15, 20, 36]),
    ('education', 'grade 11', 1, [255, 35, 22, 20, 22, 30]),
    ('education', 'high school', 2, [200, 300, 250, 245, 300, 335]),
    ('education', 'some college', 3, [135, 390, 205, 165, 170, 150]),
    ('education', 'vocational degree', 3, [3, 28, 48, 55, 58, 35]),
    ('education', 'associate degree', 3, [2, 38, 54, 52, 45, 24]),
    ('education', 'bachelor', 4, [0, 145, 255, 245, 195, 135]),
    ('education', 'master', 4, [0, 13, 85, 105, 88, 75]),
    ('education', 'professional degree', 4, [0, 1, 18, 24, 21, 20]),
    ('education', 'doctorate', 4, [0, 1, 12, 20, 17, 20]),
    -- condition: schooling. answer: first three digits of the zip code. code: zip codes that begin so.
    ('zip area', '010', 14, [42, 38, 33, 24]),
    ('zip area', '011', 6, [34, 26, 20, 10]),
    ('zip area', '013', 5, [6, 8, 8, 9]),
    ('zip area', '015', 18, [30, 34, 36, 33]),
    ('zip area', '016', 9, [38, 30, 28, 25]),
    ('zip area', '017', 16, [14, 20, 28, 56]),
    ('zip area', '018', 22, [52, 48, 44, 38]),
    ('zip area', '019', 20, [40, 42, 40, 38]),
    ('zip area', '020', 24, [22, 36, 46, 62]),
    ('zip area', '021', 36, [120, 90, 100, 170]),
    ('zip area', '023', 17, [34, 40, 42, 32]),
    ('zip area', '024', 12, [8, 10, 16, 58]),
    ('zip area', '026', 13, [12, 16, 20, 18]),
    ('zip area', '027', 15, [70, 50, 40, 22]),
    ('zip area', '028', 21, [60, 58, 52, 42]),
    ('zip area', '029', 8, [36, 26, 24, 28]),
    ('zip area', '060', 18, [40, 44, 46, 50]),
    ('zip area', '061', 8, [34, 22, 16, 10]),
    ('zip area', '064', 17, [26, 38, 42, 44]),
    ('zip area', '065', 9, [26, 22, 20, 24]),
    ('zip area', '066', 7, [40, 26, 20, 14]),
    ('zip area', '068', 15, [20, 20, 24, 58]),
    ('zip area', '100', 28, [48, 38, 42, 92]),
    ('zip area', '104', 12, [68, 36, 26, 12]),
    ('zip area', '108', 30, [110, 70, 58, 76]),
    -- condition: schooling, then everyone of 65 and older, then everyone below 20. code: 1 has work.
    ('workclass', 'private company', 1, [470, 560, 560, 500, 110, 290]),
    ('workclass', 'nonprofit', 1, [20, 30, 50, 105, 18, 15]),
    ('workclass', 'self-employed', 1, [70, 65, 55, 62, 34, 5]),
    ('workclass', 'own company', 1, [14, 24, 28, 42, 14, 0]),
    ('workclass', 'federal government', 1, [6, 16, 24, 30, 5, 1]),
    ('workclass', 'state government', 1, [10, 22, 32, 60, 7, 6]),
    ('workclass', 'local government', 1, [25, 42, 55, 85, 12, 8]),
    ('workclass', 'family business', 1, [5, 3, 2, 1, 2, 5]),
    ('workclass', 'looking for work', 0, [85, 58, 44, 25, 6, 90]),
    ('workclass', 'not working', 0, [295, 180, 150, 90, 792, 580]),
    -- condition: schooling of men who work, then of women who work, then everyone without work.
    ('occupation', 'agriculture', 0, [70, 30, 15, 5, 35, 12, 6, 3, 0]),
    ('occupation', 'cleaning', 0, [80, 40, 18, 3, 190, 70, 25, 4, 0]),
    ('occupation', 'clerical', 0, [30, 55, 75, 50, 90, 230, 250, 120, 0]),
    ('occupation', 'construction', 0, [240, 150, 80, 15, 12, 6, 4, 2, 0]),
    ('occupation', 'engineering', 0, [4, 25, 85, 195, 2, 8, 25, 65, 0]),
    ('occupation', 'food service', 0, [120, 60, 45, 12, 190, 110, 75, 15, 0]),
    ('occupation', 'health care', 0, [10, 15, 35, 75, 90, 150, 225, 210, 0]),
    ('occupation', 'management', 0, [30, 80, 130, 280, 25, 70, 110, 210, 0]),
    ('occupation', 'manufacturing', 0, [190, 205, 140, 30, 150, 90, 45, 10, 0]),
    ('occupation', 'none', 0, [0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ('occupation', 'sales', 0, [65, 100, 130, 130, 120, 150, 140, 90, 0]),
    ('occupation', 'teaching', 0, [4, 8, 20, 120, 25, 60, 80, 260, 0]),
    ('occupation', 'transport', 0, [160, 190, 115, 25, 25, 25, 15, 4, 0])
),
answer_weight AS (
  SELECT
    question,
    answer,
    code,
    UNNEST(RANGE(1, LEN(weights) + 1)) AS condition,
    UNNEST(weights) AS weight
  FROM question_weight
),
answer_range AS (
  SELECT
    question,
    answer,
    code,
    condition,
    weight,
    CAST(SUM(weight) OVER (PARTITION BY question, condition ORDER BY answer) AS BIGINT) AS weight_up_to,
    CAST(SUM(weight) OVER (PARTITION BY question, condition) AS BIGINT) AS weight_in_all
  FROM answer_weight
),
-- For every question and condition, which answer each of the draws 0 to 999 stands for. Condition and draw
-- are one number, so that each join below needs the person and DuckDB never pairs the answers first.
answer_draw AS (
  SELECT
    question,
    answer,
    code,
    1000 * condition + UNNEST(
      RANGE(
        ((weight_up_to - weight) * 1000) // weight_in_all,
        (weight_up_to * 1000) // weight_in_all
      )
    ) AS condition_draw
  FROM answer_range
),
person AS (
  SELECT range AS person_id
  FROM RANGE(1, CAST(getvariable('rows') AS BIGINT) + 1)
),
person_hash AS (
  SELECT
    person_id,
    MD5_NUMBER_LOWER(CONCAT_WS(':', getvariable('seed'), person_id, 1)) AS hash_1,
    MD5_NUMBER_LOWER(CONCAT_WS(':', getvariable('seed'), person_id, 2)) AS hash_2,
    MD5_NUMBER_LOWER(CONCAT_WS(':', getvariable('seed'), person_id, 3)) AS hash_3
  FROM person
),
person_draw AS (
  SELECT
    person_id,
    CAST(hash_1 % 1000 AS BIGINT) AS age_draw,
    CAST((hash_1 // 1000) % 1000 AS BIGINT) AS sex_draw,
    CAST((hash_1 // 1000000) % 1000 AS BIGINT) AS marital_draw,
    CAST((hash_1 // 1000000000) % 1000 AS BIGINT) AS education_draw,
    CAST((hash_1 // 1000000000000) % 1000000 AS BIGINT) AS birthday_draw,
    CAST(hash_2 % 1000 AS BIGINT) AS zip_area_draw,
    CAST((hash_2 // 1000) % 1000 AS BIGINT) AS zip_draw_1,
    CAST((hash_2 // 1000000) % 1000 AS BIGINT) AS zip_draw_2,
    CAST((hash_2 // 1000000000) % 1000 AS BIGINT) AS workclass_draw,
    CAST((hash_2 // 1000000000000) % 1000 AS BIGINT) AS occupation_draw,
    CAST((hash_2 // 1000000000000000) % 1000 AS BIGINT) AS no_answer_draw,
    CAST(hash_3 % 1000 AS BIGINT) AS hours_draw_1,
    CAST((hash_3 // 1000) % 1000 AS BIGINT) AS hours_draw_2,
    CAST((hash_3 // 1000000) % 1000000000000 AS BIGINT) AS name_draw
  FROM person_hash
),
person_answer AS (
  SELECT
    person_draw.person_id,
    CAST(LEFT(age.answer, 2) AS BIGINT) AS first_age,
    CAST(RIGHT(age.answer, 2) AS BIGINT) AS last_age,
    sex.answer AS sex,
    marital.answer AS marital_status,
    education.answer AS education,
    area.answer AS zip_area,
    area.code AS zip_codes,
    workclass.answer AS workclass,
    workclass.code AS has_work,
    occupation.answer AS occupation,
    person_draw.birthday_draw,
    person_draw.zip_draw_1,
    person_draw.zip_draw_2,
    person_draw.no_answer_draw,
    person_draw.hours_draw_1,
    person_draw.hours_draw_2,
    person_draw.name_draw
  FROM person_draw
  JOIN answer_draw AS age
    ON age.question = 'age'
    AND age.condition_draw = 1000 + person_draw.age_draw
  JOIN answer_draw AS sex
    ON sex.question = 'sex'
    AND sex.condition_draw = 1000 * age.code + person_draw.sex_draw
  JOIN answer_draw AS marital
    ON marital.question = 'marital status'
    AND marital.condition_draw = 1000 * (age.code + 6 * sex.code) + person_draw.marital_draw
  JOIN answer_draw AS education
    ON education.question = 'education'
    AND education.condition_draw = 1000 * age.code + person_draw.education_draw
  JOIN answer_draw AS area
    ON area.question = 'zip area'
    AND area.condition_draw = 1000 * education.code + person_draw.zip_area_draw
  JOIN answer_draw AS workclass
    ON workclass.question = 'workclass'
    AND workclass.condition_draw
      = 1000 * CASE age.code WHEN 6 THEN 5 WHEN 1 THEN 6 ELSE education.code END
      + person_draw.workclass_draw
  JOIN answer_draw AS occupation
    ON occupation.question = 'occupation'
    AND occupation.condition_draw
      = 1000 * CASE workclass.code WHEN 1 THEN education.code + 4 * sex.code ELSE 9 END
      + person_draw.occupation_draw
),
syllable (first, last) AS (
  VALUES (
    ['Al', 'Be', 'Co', 'Da', 'El', 'Fa', 'Ge', 'Ho', 'Il', 'Ja', 'Ke', 'Lu', 'Mi', 'No', 'Or', 'Pe'],
    ['ra', 'lin', 'mo', 'ti', 'sa', 'ven', 'do', 'ka', 'rus', 'ne', 'bor', 'mi', 'lo', 'tan', 'we', 'zi']
  )
)
SELECT
  person_id,
  CONCAT(
    syllable.first[1 + name_draw % 16],
    syllable.last[1 + (name_draw // 100) % 16],
    ' ',
    syllable.first[1 + (name_draw // 10000) % 16],
    syllable.last[1 + (name_draw // 1000000) % 16],
    syllable.last[1 + (name_draw // 100000000) % 16]
  ) AS name,
  sex,
  -- A year has 1461 / 4 days; the birthday is even over the days of the age band.
  DATE '2020-04-01' - CAST(
    1 + (first_age * 1461) // 4
    + (birthday_draw * (((last_age + 1 - first_age) * 1461) // 4)) // 1000000 AS INTEGER
  ) AS birth_date,
  -- The product of two even draws leans to the low numbers: an area's first zip codes are its largest.
  CONCAT(
    zip_area,
    LPAD(CAST(1 + (zip_draw_1 * zip_draw_2 * zip_codes) // 1000000 AS VARCHAR), 2, '0')
  ) AS zip,
  marital_status,
  education,
  -- From 65 on the question may be left out.
  CASE WHEN first_age < 65 OR no_answer_draw >= 250 THEN workclass END AS workclass,
  occupation,
  CAST(
    CASE
      WHEN has_work = 0 THEN NULL
      WHEN hours_draw_1 < CASE WHEN first_age < 20 THEN 650 WHEN sex = 'female' THEN 320 ELSE 130 END
        THEN 8 + hours_draw_2 % 27
      WHEN hours_draw_1 < 750 THEN 40
      ELSE 35 + (hours_draw_2 * hours_draw_2) // 32000
    END AS INTEGER
  ) AS hours_per_week
FROM person_answer
CROSS JOIN syllable;
