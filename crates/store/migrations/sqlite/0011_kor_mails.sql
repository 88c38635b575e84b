-- Last year in which an email warned the owner about the limit of the small businesses scheme (KOR).
ALTER TABLE accounts ADD COLUMN kor_warned_year INTEGER;
