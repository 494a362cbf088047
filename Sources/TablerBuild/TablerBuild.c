#include "TablerBuild.h"

#ifdef TABLER_COMMIT_IS_NO_HASH
#error "TABLER_COMMIT in the environment must be the hash of a commit: 7 to 40 hexadecimal digits"
#endif

#ifdef TABLER_COMMIT
const char *const tablerCommit = TABLER_COMMIT;
#else
const char *const tablerCommit = 0;
#endif

#ifdef TABLER_SOURCE_DATE
const long long tablerSourceDate = TABLER_SOURCE_DATE;
#else
const long long tablerSourceDate = -1;
#endif
