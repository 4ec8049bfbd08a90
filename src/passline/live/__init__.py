"""Live tables without sockets: the log, its stores, the table service, permissions and the audit."""  # noqa: E501
