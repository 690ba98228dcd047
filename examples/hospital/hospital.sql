-- Makes the example tables of two papers.
--
-- gives: inpatients, Figure 1 of Machanavajjhala et al. 2006, with an invented id and name for each row;
--        patients, Table 1 of Li et al. 2007, as it is printed.
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
