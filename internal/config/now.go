package config

import (
	"fmt"
	"strconv"
	"time"

	"metarobots/policy"
)

// Now returns the time that counts as now: --now, SOURCE_DATE_EPOCH or the system's (L7).
// https://reproducible-builds.org/specs/source-date-epoch/
func Now(now string, getenv func(string) string) (time.Time, error) {
	if now != "" {
		t, err := policy.ParseDate(now)
		if err != nil {
			return t, fmt.Errorf("--now: %w", err)
		}
		return t, nil
	}
	if epoch := getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds", epoch)
		}
		return time.Unix(seconds, 0).UTC(), nil
	}
	return time.Now().UTC(), nil
}
