package xlsx

// joinedCRC returns the CRC-32 (IEEE) of bytes a followed by bytes b, from both checksums and the
// length of b. It multiplies the checksum of a by x to the power of the number of following bits,
// modulo the polynomial, like zlib's crc32_combine.
func joinedCRC(a, b uint32, length uint64) uint32 {
	shift, power := uint32(1)<<31, uint32(1)<<(31-8) // 1 and x⁸: the lowest power is the highest bit
	for ; length > 0; length >>= 1 {
		if length&1 == 1 {
			shift = multiplied(shift, power)
		}
		power = multiplied(power, power)
	}
	return multiplied(a, shift) ^ b
}

// multiplied returns the product of two polynomials modulo that of the checksum.
func multiplied(a, b uint32) (product uint32) {
	const polynomial = 0xedb88320
	for ; a != 0; a <<= 1 {
		product ^= b & -(a >> 31)
		b = b>>1 ^ polynomial&-(b&1)
	}
	return product
}
