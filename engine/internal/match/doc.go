// Package match finds which of many path patterns match a path. All it knows of
// robots.txt is the syntax of a pattern: text, '*' for any text, and an end that the
// path must reach.
//
// # What it compiles
//
// [Compile] makes a [Set] of patterns in order of precedence. The Set answers three
// questions about a path. [Set.Best]: which pattern is the strongest that matches (the
// verdict)? [Set.BestTwo]: which one would be the strongest if the rule of that
// pattern were deleted (the runner-up)? [Set.All]: which patterns match at all (the
// counts of the rules)? Two patterns may belong to one rule, so each pattern has both
// a rule and a rank. All results are checked against [Pattern.Match], which is the
// definition. [TopTwo] makes the same choice of the best two for patterns that are
// found elsewhere.
//
// # Shapes
//
// Up to some tens of patterns are tested one by one, strongest first. The first eight
// bytes of a path, as a number, rule out most prefixes. The kinds of bytes in it
// ([signature]) rule out most patterns with wildcards: without a "?", no pattern about
// queries matches.
//
// More patterns are put into a radix tree by the text before their first wildcard. One
// walk down the tree finds all literal prefixes of the path at once: each node knows
// the best two patterns on the way to it.
//
// Patterns with wildcards belong to the node of their prefix. A few of them are tested
// one by one. For many, each pattern is indexed by a gram: one to four consecutive
// bytes of its own text. It is the gram that is rarest among the patterns, or the one
// at its end if the path must end with it. The path's grams are looked up in a bit
// set, four offsets at a time, and give the few patterns worth testing. Eight bytes
// around the gram are compared before the whole pattern is. If the pattern contains no
// more than these, it matches.
//
// # Cost
//
// U is the time of one dependent table lookup for each byte of the path, which is the
// minimum for any automaton over the path. BenchmarkBest searches paths of 40 bytes in
// a set of 70% prefixes and 30% patterns with wildcards. A search takes about 0.3 U
// with 10 patterns, 0.8 U with 100, 1.2 U with 1,000 and 4 U with 10,000. It allocates
// nothing. With 10,000 it waits for memory. So the data of a search is small: one
// cache line per node, and all texts in one block. Compiling 10,000 patterns takes
// about 5 ms and 18 allocations (BenchmarkCompile). It pays off if many paths follow,
// see [CompileCost].
//
// No pattern or path makes the search slow. Each pattern is tried at most once for a
// path. A try is linear in the path: every text between two wildcards is matched at
// its leftmost offset and never again. So a search reads the path once, and once for
// each pattern that it tries. Backtracking would take time exponential in the number
// of wildcards.
//
// # Why not an automaton
//
// One automaton for all patterns would read each byte of the path once. But with
// wildcards it has exponentially many states, or it simulates as many states at once
// as there are patterns. And each step waits for the previous one. Real files contain
// mostly prefixes, which the tree finds in a few cache lines. Real paths contain few
// of the grams of wildcard patterns.
//
// A test of four consecutive bytes against sets of bytes, one set for each of 64
// classes of grams, does not help either. It is a fifth faster than hashing for few
// grams. For thousands it is four times slower, since most positions of a path look
// like some gram.
package match
