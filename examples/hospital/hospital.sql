-- Makes the example tables of three papers.
--
-- gives: inpatients, Figure 1 of Machanavajjhala et al. 2006, with an invented id and name for each row;
--        patients and salaries, Tables 1 and 3 of Li et al. 2007, as they are printed;
--        figure_2, figure_3, table_4, table_5: what the two papers publish of them;
--        neighbours, whom somebody knows, and background, what somebody knows of conditions, for the
--        attacks that section 1 of the first paper tells of; weights are invented;
--        incidents, Table 2 of Dosselmann et al.'s tutorial on t-closeness.
CREATE TABLE inpatients (
  patient_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  zip VARCHAR NOT NULL,
  age INTEGER NOT NULL,
  nationality VARCHAR NOT NULL,
  condition VARCHAR NOT NULL
);

INSERT INTO inpatients
VALUES
  (1, 'Boris Lumov', '13053', 28, 'Russian', 'Heart Disease'),
  (2, 'Ada Welby', '13068', 29, 'American', 'Heart Disease'),
  (3, 'Umeko Sato', '13068', 21, 'Japanese', 'Viral Infection'),
  (4, 'Cal Dorsey', '13053', 23, 'American', 'Viral Infection'),
  (5, 'Indira Nath', '14853', 50, 'Indian', 'Cancer'),
  (6, 'Vera Orlova', '14853', 55, 'Russian', 'Heart Disease'),
  (7, 'Gus Hartley', '14850', 47, 'American', 'Viral Infection'),
  (8, 'Mae Torrance', '14850', 49, 'American', 'Viral Infection'),
  (9, 'Bob Carver', '13053', 31, 'American', 'Cancer'),
  (10, 'Ravi Menon', '13053', 37, 'Indian', 'Cancer'),
  (11, 'Kenji Mori', '13068', 36, 'Japanese', 'Cancer'),
  (12, 'Lena Brooks', '13068', 35, 'American', 'Cancer');

CREATE TABLE patients (
  zip VARCHAR NOT NULL,
  age INTEGER NOT NULL,
  disease VARCHAR NOT NULL
);

INSERT INTO patients
VALUES
  ('47677', 29, 'Heart Disease'),
  ('47602', 22, 'Heart Disease'),
  ('47678', 27, 'Heart Disease'),
  ('47905', 43, 'Flu'),
  ('47909', 52, 'Heart Disease'),
  ('47906', 47, 'Cancer'),
  ('47605', 30, 'Heart Disease'),
  ('47673', 36, 'Cancer'),
  ('47607', 32, 'Cancer');

CREATE TABLE salaries (
  zip VARCHAR NOT NULL,
  age INTEGER NOT NULL,
  salary INTEGER NOT NULL,
  disease VARCHAR NOT NULL
);

INSERT INTO salaries
VALUES
  ('47677', 29, 3, 'gastric ulcer'),
  ('47602', 22, 4, 'gastritis'),
  ('47678', 27, 5, 'stomach cancer'),
  ('47905', 43, 6, 'gastritis'),
  ('47909', 52, 11, 'flu'),
  ('47906', 47, 8, 'bronchitis'),
  ('47605', 30, 7, 'bronchitis'),
  ('47673', 36, 9, 'pneumonia'),
  ('47607', 32, 10, 'stomach cancer');

-- Tables as the papers publish them, to be audited.
CREATE TABLE figure_2 AS
FROM (VALUES
  ('130**', '< 30', '*', 'Heart Disease'),
  ('130**', '< 30', '*', 'Heart Disease'),
  ('130**', '< 30', '*', 'Viral Infection'),
  ('130**', '< 30', '*', 'Viral Infection'),
  ('1485*', '>= 40', '*', 'Cancer'),
  ('1485*', '>= 40', '*', 'Heart Disease'),
  ('1485*', '>= 40', '*', 'Viral Infection'),
  ('1485*', '>= 40', '*', 'Viral Infection'),
  ('130**', '3*', '*', 'Cancer'),
  ('130**', '3*', '*', 'Cancer'),
  ('130**', '3*', '*', 'Cancer'),
  ('130**', '3*', '*', 'Cancer')
) AS published (zip, age, nationality, condition);

CREATE TABLE figure_3 AS
FROM (VALUES
  ('1305*', '<= 40', '*', 'Heart Disease'),
  ('1305*', '<= 40', '*', 'Viral Infection'),
  ('1305*', '<= 40', '*', 'Cancer'),
  ('1305*', '<= 40', '*', 'Cancer'),
  ('1485*', '> 40', '*', 'Cancer'),
  ('1485*', '> 40', '*', 'Heart Disease'),
  ('1485*', '> 40', '*', 'Viral Infection'),
  ('1485*', '> 40', '*', 'Viral Infection'),
  ('1306*', '<= 40', '*', 'Heart Disease'),
  ('1306*', '<= 40', '*', 'Viral Infection'),
  ('1306*', '<= 40', '*', 'Cancer'),
  ('1306*', '<= 40', '*', 'Cancer')
) AS published (zip, age, nationality, condition);

CREATE TABLE table_4 AS
FROM (VALUES
  ('476**', '2*', 3, 'gastric ulcer'),
  ('476**', '2*', 4, 'gastritis'),
  ('476**', '2*', 5, 'stomach cancer'),
  ('4790*', '>= 40', 6, 'gastritis'),
  ('4790*', '>= 40', 11, 'flu'),
  ('4790*', '>= 40', 8, 'bronchitis'),
  ('476**', '3*', 7, 'bronchitis'),
  ('476**', '3*', 9, 'pneumonia'),
  ('476**', '3*', 10, 'stomach cancer')
) AS published (zip, age, salary, disease);

CREATE TABLE table_5 AS
FROM (VALUES
  ('4767*', '<= 40', 3, 'gastric ulcer'),
  ('4767*', '<= 40', 5, 'stomach cancer'),
  ('4767*', '<= 40', 9, 'pneumonia'),
  ('4790*', '>= 40', 6, 'gastritis'),
  ('4790*', '>= 40', 11, 'flu'),
  ('4790*', '>= 40', 8, 'bronchitis'),
  ('4760*', '<= 40', 4, 'gastritis'),
  ('4760*', '<= 40', 7, 'bronchitis'),
  ('4760*', '<= 40', 10, 'stomach cancer')
) AS published (zip, age, salary, disease);

CREATE TABLE incidents AS
FROM (VALUES
  ('2C', 'power outage'), ('2C', 'power outage'), ('2C', 'power outage'),
  ('4F', 'theft'), ('4F', 'fire'), ('4F', 'fatal accident'), ('4F', 'fire'),
  ('9A', 'sidewalk repair'), ('9A', 'power outage'),
  ('3B', 'pest control'), ('3B', 'power outage'), ('3B', 'sidewalk repair'),
  ('3B', 'tree replanting'), ('3B', 'sidewalk repair')
) AS published (zone, incident);

-- Bob and Umeko, and somebody who was never in the hospital.
CREATE TABLE neighbours AS
FROM (VALUES
  ('13053', 31, 'American'),
  ('13068', 21, 'Japanese'),
  ('13053', 62, 'American')
) AS known (zip, age, nationality);

-- Per kind of patient, how many of 20 have each condition: among young Japanese, heart disease is rare.
CREATE TABLE background AS
SELECT
  zip,
  age,
  nationality,
  condition,
  CASE
    WHEN nationality <> 'Japanese' THEN 10
    WHEN condition = 'Heart Disease' THEN 1
    ELSE 19
  END AS patients
FROM (SELECT DISTINCT zip, age, nationality FROM inpatients)
CROSS JOIN (SELECT DISTINCT condition FROM inpatients);
