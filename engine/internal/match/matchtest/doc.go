// Package matchtest holds what the tests and benchmarks of matching share: small
// texts, all of them, for tests that try every case; a workload of rules and
// paths as real files and sites have them; and U, the unit in which benchmarks
// are compared across machines. Only tests import it.
package matchtest
