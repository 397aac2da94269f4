import Console
import Glibc
import Testing

@Suite("Widths and the C library")
struct WidthAgreementTests {
    /// ncurses and terminals place text by `wcwidth`, so that a difference would shift a line.
    @Test func singleScalarsAreAsWideAsTheCLibraryHasThem() throws {
        let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil), "the locale C.UTF-8 is missing")
        defer { freelocale(locale) }
        let before = uselocale(locale)
        defer { uselocale(before) }
        // Swift sees the C library without its X/Open part.
        let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "wcwidth"))
        let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
        var compared = 0
        for scalar in notableScalars {
            // Behind a letter, so that a mark has something to sit on.
            let ours = DisplayWidth.of("x" + String(Character(scalar))) - 1
            let theirs = Int(wcwidth(wchar_t(scalar.value)))
            // What is escaped here, or not known there, is not drawn as itself.
            guard theirs >= 0, ours < 3, scalar.value >= 0x20 else { continue }
            compared += 1
            if ours != theirs { Issue.record("U+\(String(scalar.value, radix: 16)): \(ours), not \(theirs)") }
        }
        #expect(compared > 30_000)
    }
}
