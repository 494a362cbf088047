// What the environment told the build of its sources; see `Package.swift`. Settings of Swift cannot have values; those of
// C can.

/// The hash of the commit; null if the build was not told.
extern const char *_Nullable const tablerCommit;

/// The time of the sources in seconds since 1970-01-01T00:00Z; negative if the build was not told.
extern const long long tablerSourceDate;
