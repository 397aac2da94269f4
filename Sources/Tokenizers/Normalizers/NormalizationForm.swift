internal import Foundation
internal import Synchronization

/// Unicode's normalization forms.
///
/// A text is cut where nothing can compose across, and only stretches that may change are handed to the library, so
/// that ASCII and text that is normalized already cost one look at each character.
/// - Source: Unicode Standard Annex #15.
package enum NormalizationForm: Int, Sendable, CaseIterable {
    case nfc, nfd, nfkc, nfkd

    /// Whether the text is sure to stay as it is.
    package func leavesUnchanged(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if isASCIIText(text) { return true }
        guard let base = text.baseAddress else { return true }
        var index = 0
        while index < text.count {
            let (value, length) = scalar(base, at: index, end: text.count)
            if value >= 0x80, !isInert(value) { return false }
            index += length
        }
        return true
    }

    package func apply(to text: AlignedText) -> AlignedText {
        var result = text.rewritten()
        var start = 0
        var isStable = true
        text.forEachScalar { value, range in
            let traits = value < 0x80 ? NormalizationTraits.ascii : NormalizationTraits.shared.entry(value)
            if traits & NormalizationTraits.boundary != 0 {
                flush(text, start..<range.lowerBound, isStable, &result)
                start = range.lowerBound
                isStable = true
            } else {
                isStable = false
            }
            if traits & bit == 0 { isStable = false }
        }
        flush(text, start..<text.count, isStable, &result)
        return result
    }

    private func flush(_ text: AlignedText, _ range: Range<Int>, _ isStable: Bool, _ result: inout AlignedText) {
        if range.isEmpty { return }
        if isStable { return result.append(text, range) }
        let old = String(decoding: text.bytes[range], as: UTF8.self)
        let new = normalized(old)
        if new.utf8.elementsEqual(old.utf8) { return result.append(text, range) }
        result.append(new.utf8, for: range, of: text)
    }

    private var bit: UInt8 { 1 << UInt8(rawValue) }

    /// Whether a scalar neither changes alone nor with what stands before it.
    private func isInert(_ value: UInt32) -> Bool {
        let traits = NormalizationTraits.shared.entry(value)
        return traits & NormalizationTraits.boundary != 0 && traits & bit != 0
    }

    package func normalized(_ text: String) -> String {
        switch self {
        case .nfc: text.precomposedStringWithCanonicalMapping
        case .nfd: text.decomposedStringWithCanonicalMapping
        case .nfkc: text.precomposedStringWithCompatibilityMapping
        case .nfkd: text.decomposedStringWithCompatibilityMapping
        }
    }
}

/// How each scalar behaves in normalization, in pages that are made when they are first asked for: a bit for each form
/// that leaves it alone, and whether nothing before it can compose with it.
final class NormalizationTraits: @unchecked Sendable {
    // Sendable: pages are guarded by the mutex and never change once they are there.
    static let shared = NormalizationTraits()
    static let boundary: UInt8 = 1 << 7
    static let ascii: UInt8 = 0xFF

    private let pages: UnsafeMutablePointer<Atomic<UInt>>

    private init() {
        pages = .allocate(capacity: 0x1100)
        for page in 0..<0x1100 { (pages + page).initialize(to: Atomic(0)) }
    }

    func entry(_ value: UInt32) -> UInt8 {
        let page = Int(min(value, 0x10FFFF) >> 8)
        let known = UnsafePointer<UInt8>(bitPattern: pages[page].load(ordering: .acquiring)) ?? make(page)
        return known[Int(value & 0xFF)]
    }

    private func make(_ page: Int) -> UnsafePointer<UInt8> {
        let entries = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        for index in 0..<256 {
            (entries + index).initialize(to: Unicode.Scalar(UInt32(page << 8 | index)).map(Self.traits) ?? Self.ascii)
        }
        let (exchanged, original) = pages[page].compareExchange(
            expected: 0, desired: UInt(bitPattern: entries), ordering: .acquiringAndReleasing)
        if exchanged { return UnsafePointer(entries) }
        entries.deallocate()
        return UnsafePointer(bitPattern: original)!
    }

    private static func traits(_ scalar: Unicode.Scalar) -> UInt8 {
        let properties = scalar.properties
        var traits: UInt8 = 0
        let text = String(scalar)
        for form in NormalizationForm.allCases where form.normalized(text).unicodeScalars.elementsEqual([scalar]) {
            traits |= 1 << UInt8(form.rawValue)
        }
        let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
        // What composes with a character before it is a mark, but for vowels and finals of Hangul and Kirat Rai.
        let composes = (0x1160...0x11FF).contains(scalar.value) || (0x16D63...0x16D6A).contains(scalar.value)
        if properties.canonicalCombiningClass == .notReordered, !isMark, !composes { traits |= boundary }
        return traits
    }
}
