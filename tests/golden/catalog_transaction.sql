SELECT TXID_CURRENT() AS transaction_number
