SELECT system.main.txid_current() AS transaction_number
