/// BERT's cleaning: control characters go, ideographs become words, accents and capitals go.
///
/// - Source: Devlin et al. 2019, the published `BasicTokenizer`.
package struct BertNormalizer: Sendable {
    package var cleansText = true
    package var separatesIdeographs = true
    package var stripsAccents = true
    package var lowercases = true

    package init() {}

    package func apply(to text: AlignedText) -> AlignedText {
        var text = text
        if cleansText { text = text.mapScalars(Self.cleaned) }
        if separatesIdeographs { text = Self.separated(text) }
        if stripsAccents {
            if !text.isASCII {
                text = NormalizationForm.nfd.apply(to: text).mapScalars {
                    ScalarTable.shared.entry($0) & ScalarTable.accentBit != 0 ? .drop : .keep
                }
            }
        }
        return lowercases ? Lowercase.apply(to: text) : text
    }

    private static func cleaned(_ value: UInt32) -> ScalarChange {
        if value == 9 || value == 10 || value == 13 { return .replace(0x20) }
        if value >= 0x20, value < 0x7F { return .keep }
        if value == 0 || value == 0xFFFD { return .drop }
        let entry = ScalarTable.shared.entry(value)
        if UInt32(1) << UInt32(entry >> 8 & 31) & GeneralCategories.controls != 0 {
            // Format characters newer than Unicode 8 are unknown to it, and so stay like all that is unassigned.
            let age = Unicode.Scalar(value)?.properties.age?.major ?? 0
            return age <= 8 ? .drop : .keep
        }
        return UInt8(truncatingIfNeeded: entry) & ScalarClass.space.rawValue != 0 ? .replace(0x20) : .keep
    }

    private static func separated(_ text: AlignedText) -> AlignedText {
        if text.isASCII { return text }
        var result = text.rewritten()
        text.forEachScalar { value, range in
            guard isIdeograph(value) else { return result.append(text, range) }
            result.append([0x20], for: range, of: text)
            result.append(text, range)
            result.append([0x20], for: range, of: text)
        }
        return result
    }

    private static func isIdeograph(_ value: UInt32) -> Bool {
        switch value {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }
}

/// Lower case, one character at a time, so that nothing depends on what stands around it.
package enum Lowercase {
    package static func apply(to text: AlignedText) -> AlignedText {
        text.mapScalars { value in
            if value < 0x80 { return value >= 0x41 && value <= 0x5A ? .replace(value | 0x20) : .keep }
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { return .keep }
            return .text(scalar.properties.lowercaseMapping)
        }
    }
}
