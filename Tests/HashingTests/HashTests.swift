import Hashing
import Testing

@Suite("Hashes and generators")
struct HashTests {
    // Values from the test suite of the FNV reference implementation.
    @Test("FNV-1a agrees with published values")
    func fnv() {
        #expect(FNV1a.hash("".utf8) == 0xcbf2_9ce4_8422_2325)
        #expect(FNV1a.hash("a".utf8) == 0xaf63_dc4c_8601_ec8c)
        #expect(FNV1a.hash("foobar".utf8) == 0x8594_4171_f739_67e8)
        #expect(FNV1a.hexadecimal("foobar") == "85944171f73967e8")
        #expect(FNV1a.hexadecimal(15) == "000000000000000f")
    }

    @Test("numbers are added least significant byte first")
    func numbers() {
        var (whole, bytes) = (FNV1a(), FNV1a())
        whole.add(0x0102_0304_0506_0708 as UInt64)
        bytes.add([8, 7, 6, 5, 4, 3, 2, 1])
        #expect(whole.value == bytes.value)
        #expect(FNV1a(seed: 3).value == FNV1a.offset ^ 3)
    }

    // Output of Vigna's splitmix64.c for a state of 0 and of 1234567.
    @Test("SplitMix64 agrees with published values")
    func splitMix() {
        var zero = SplitMix64(state: 0)
        #expect(zero.next() == 0xe220_a839_7b1d_cdaf)
        #expect(zero.next() == 0x6e78_9e6a_a1b9_65f4)
        var other = SplitMix64(state: 1_234_567)
        #expect(
            (0..<3).map { _ in other.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }

    @Test("streams of a seed differ, and indexes stay in range")
    func streams() {
        var (first, second) = (SplitMix64(seed: 7), SplitMix64(seed: 7, stream: 1))
        #expect(first.next() != second.next())
        #expect((0..<1_000).allSatisfy { _ in (0..<3).contains(first.next(below: 3)) })
        #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(first.nextUnit()) })
    }

    // Examples from FIPS 180-4.
    @Test("SHA-256 agrees with published values")
    func sha256() {
        #expect(
            SHA256.hexadecimal("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hexadecimal("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hexadecimal("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
}
