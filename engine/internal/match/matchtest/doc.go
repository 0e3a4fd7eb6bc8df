// Package matchtest is shared by the tests and benchmarks of matching. It has
// all small texts, for tests that try every case; a workload of rules and paths
// like those of real files and sites; and U, the unit that makes benchmarks
// comparable across machines. Only tests import it.
package matchtest
