// Package history is the memory over runs: since when is this URL blocked, by which
// version of the file, and what came and went meanwhile.
//
// It is one file of SQLite, history.db, beside the folders of the runs. A run is
// entered in one transaction after its folder is complete, so that the file holds it
// whole or not at all; what a kill leaves out is entered when it is opened next. The
// file holds nothing that the folders do not hold, but for acknowledgements and
// deliveries, and can be made anew from them.
package history
