package clitest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Times is how often a test repeats its step; dice are its random numbers, whose seed is logged.
func Times(t *testing.T) (n int, dice *rand.Rand) {
	n, seed := 60, uint64(time.Now().UnixNano())
	var err error
	if text := os.Getenv("TEST_TIMES"); text != "" {
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	if text := os.Getenv("TEST_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("TEST_SEED=%d TEST_TIMES=%d", seed, n)
	return n, rand.New(rand.NewPCG(seed, 0))
}

// Number is a setting of a test.
func Number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s=%s: %v", name, text, err)
	}
	return n
}
