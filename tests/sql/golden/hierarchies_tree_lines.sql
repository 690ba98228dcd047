(VALUES
        ('flu', 'any', '*'),
        ('ulcer', 'any', '*')
      )
