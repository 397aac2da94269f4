import Testing
import Training

@Suite("The digest of bytes")
struct DigestTests {
    /// Values of the reference implementation, seed 0.
    @Test(
        "is XXH64",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func known(text: String, value: UInt64) {
        var digest = Digest()
        Array(text.utf8).withUnsafeBytes { digest.update($0) }
        #expect(digest.value == value)
    }

    @Test("does not depend on how the bytes come", arguments: [1, 3, 8, 31, 32, 33, 100])
    func pieces(size: Int) {
        let bytes = (0..<257).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var whole = Digest()
        bytes.withUnsafeBytes { whole.update($0) }
        var pieces = Digest()
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { pieces.update($0) }
        }
        #expect(pieces.value == whole.value)
    }
}
