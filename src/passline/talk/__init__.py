"""What players say, parsed into table commands (`understand`), and repeated back (`echo`)."""
