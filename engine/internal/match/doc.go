// Package match finds which of many path patterns match one path. It knows
// nothing of robots.txt but what a pattern may hold: text, '*' for any text, and
// an end that the path must reach.
//
// # What it compiles
//
// [Compile] makes a [Set] of patterns in order of precedence. The Set answers
// three questions about a path: which pattern is the strongest that matches
// ([Set.Best]: the verdict), which one would be if the rule of that pattern were
// deleted ([Set.BestTwo]: the runner-up), and which match at all ([Set.All]: the
// rules' counts). Two patterns may belong to one rule, which is why the rule of
// each is told apart from its rank. [Pattern.Match] is the definition that all
// this is held to, and [TopTwo] the same choice of the best two for patterns that
// are found elsewhere.
//
// # Shapes
//
// Up to some tens of patterns are looked at one by one, the strongest first. The
// first eight bytes of a path, as a number, refute most prefixes; what kinds of bytes
// it holds ([signature]) refutes most patterns with wildcards: where there is no "?",
// nothing about queries matches.
//
// More are spread over a radix tree by the text before their first wildcard.
// One walk down the tree, as far as the path goes, meets every literal prefix of
// the path at once, because a node knows the best two patterns on the way to it.
//
// Patterns with wildcards belong to the node of their prefix. A few of them are
// looked at one by one. For many, each pattern is filed under a gram, one to four
// bytes in a row, of its own text: the one that the fewest other patterns hold,
// or that at its end where the path must end so. The path's grams are looked up
// in a set of bits, four offsets at a time, and name the few patterns worth
// trying. Eight bytes around the gram are compared before the pattern itself is;
// where the pattern holds no more than these, it matches.
//
// # Cost
//
// U is the time of one dependent table lookup for each byte of the path, which
// is the least that any automaton over the path takes. A search of paths of 40
// bytes in a set of 70% prefixes and 30% patterns with wildcards takes some 0.3 U
// with 10 patterns, 0.8 U with 100, 1.2 U with 1,000 and 4 U with 10,000
// (BenchmarkBest), and allocates nothing. With 10,000 it waits for memory: what a
// search touches is therefore kept small, a node a cache line, texts in one
// block. To compile 10,000 patterns takes some 5 ms and 18 allocations
// (BenchmarkCompile): it pays where many paths follow, see [CompileCost].
//
// No pair of patterns and path makes the search run away. Each pattern is tried
// at most once for a path, and trying is linear in the path, since every text
// between two wildcards is matched at its leftmost offset and never again: a
// search goes over the path once for itself and once for each pattern that it
// tries. Backtracking would take time exponential in the number of wildcards.
//
// # Why not an automaton
//
// One automaton for all patterns would read each byte of the path once, but it
// has exponentially many states when patterns hold wildcards, or it simulates as
// many states at a time as there are patterns; and each of its steps waits for
// the one before. Real files hold mostly prefixes, which the tree answers in a
// few cache lines, and real paths hold few of the grams that wildcards ask for.
//
// Nor does it help to test four bytes in a row against sets of bytes, one set for each
// of 64 classes of grams: that is a fifth faster than hashing while there are few
// grams, but takes four times as long for thousands, when most places of a
// path look like some gram.
package match
