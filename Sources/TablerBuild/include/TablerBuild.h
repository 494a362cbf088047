// What the environment told the build of its sources; see `Package.swift`. Swift's settings have no values, those of C
// have.

/// The hash of the commit; null if the build was not told.
extern const char *_Nullable const tablerCommit;

/// The seconds since 1970-01-01T00:00Z that the sources are as old as; negative if the build was not told.
extern const long long tablerSourceDate;
