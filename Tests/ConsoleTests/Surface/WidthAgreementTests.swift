import Console
import Glibc
import Testing

@Suite("Widths compared with the C library")
struct WidthAgreementTests {
    /// Checks widths against `wcwidth`, which ncurses and terminals use to position text; a difference would shift a
    /// line.
    @Test("single scalars have the width that the C library reports")
    func singleScalars() throws {
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil), "missing locale C.UTF-8")
        defer { freelocale(locale) }
        let before = uselocale(locale)
        defer { uselocale(before) }
        // Swift does not import the X/Open part of the C library.
        let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        var compared = 0
        for scalar in notableScalars {
            // The letter is the base character if the scalar is a mark.
            let ours = DisplayWidth.of("x" + String(Character(scalar))) - 1
            let theirs = Int(wcwidth(wchar_t(scalar.value)))
            // Skip scalars that are escaped here or unknown to the C library.
            guard theirs >= 0, ours < 3, scalar.value >= 0x20 else { continue }
            compared += 1
            if ours != theirs { Issue.record("U+\(String(scalar.value, radix: 16)): \(ours), expected \(theirs)") }
        }
        #expect(compared > 30_000)
    }
}
