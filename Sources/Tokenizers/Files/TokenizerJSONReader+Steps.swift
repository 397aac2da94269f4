internal import JSON

extension TokenizerJSONReader {
    private static let deepest = 16

    /// Reads a step, or the steps of a sequence.
    ///
    /// - Parameters:
    ///   - key: Key of a sequence's steps.
    ///   - read: Reads a step of a type; `nil` if the type is unknown.
    private static func steps<Step>(
        _ node: JSONNode, _ place: String, _ key: String, _ depth: Int,
        _ read: (String, JSONNode) throws(TokenizerError) -> [Step]?
    ) throws(TokenizerError) -> [Step] {
        guard !node.isNull else { return [] }
        guard depth <= deepest else { throw error(place, "sequences are nested deeper than \(deepest)") }
        guard let type = node["type"]?.string else { throw error(place, "a step has no type") }
        if type != "Sequence" {
            if let steps = try read(type, node) { return steps }
            throw error(place, "unknown step type \(type.prefix(40))")
        }
        guard let list = node.member(named: key), list.kind == .array else {
            throw error(place, "a sequence has no \(key)")
        }
        var found: [Step] = []
        for step in list.elements { found += try steps(step, place, key, depth + 1, read) }
        return found
    }

    /// Returns the UTF-8 of a text.
    private static func bytes(_ node: JSONNode, _ key: String, _ standard: String = "") -> [UInt8] {
        Array((node.member(named: key)?.string ?? standard).utf8)
    }

    /// A pattern of the form `{"String": …}` or `{"Regex": …}`, or a bare string.
    private static func target(_ node: JSONNode?, _ place: String) throws(TokenizerError) -> Replacement.Target {
        if let text = node?.string ?? node?["String"]?.string { return .text(Array(text.utf8)) }
        if let source = node?["Regex"]?.string { return .pattern(try Pattern(source)) }
        throw error(place, "a step has no pattern")
    }

    private static func replacement(_ node: JSONNode, _ place: String) throws(TokenizerError) -> Replacement {
        Replacement(try target(node["pattern"], place), with: bytes(node, "content"))
    }

    static func normalizers(_ node: JSONNode?) throws(TokenizerError) -> [Normalizer] {
        guard let node else { return [] }
        return try steps(node, "normalizer", "normalizers", 0, normalizer)
    }

    private static func normalizer(_ type: String, _ node: JSONNode) throws(TokenizerError) -> [Normalizer]? {
        let place = "normalizer"
        switch type {
        case "NFC": return [.form(.nfc)]
        case "NFD": return [.form(.nfd)]
        case "NFKC": return [.form(.nfkc)]
        case "NFKD": return [.form(.nfkd)]
        case "Lowercase": return [.lowercase]
        case "Strip":
            return [.strip(left: node["strip_left"]?.bool ?? true, right: node["strip_right"]?.bool ?? true)]
        case "StripAccents": return [.stripAccents]
        case "Prepend": return [.prepend(bytes(node, "prepend"))]
        case "Replace": return [.replace(try replacement(node, place))]
        case "Precompiled":
            guard let text = node["precompiled_charsmap"]?.string, let blob = Base64.decode(Array(text.utf8)) else {
                throw error(place, "precompiled_charsmap is not base64")
            }
            return blob.isEmpty ? [] : [.charactersMap(try CharactersMap(blob, findsLongest: false))]
        case "BertNormalizer":
            var bert = BertNormalizer()
            bert.cleansText = node["clean_text"]?.bool ?? true
            bert.separatesIdeographs = node["handle_chinese_chars"]?.bool ?? true
            bert.lowercases = node["lowercase"]?.bool ?? true
            bert.stripsAccents = node["strip_accents"]?.bool ?? bert.lowercases
            return [.bert(bert)]
        case "Nmt": return [.nmt]
        case "ByteLevel": return [.byteAlphabet]
        default: return nil
        }
    }

    static func preTokenizers(_ node: JSONNode?) throws(TokenizerError) -> [PreTokenizer] {
        guard let node else { return [] }
        return try steps(node, "pre_tokenizer", "pretokenizers", 0, preTokenizer)
    }

    private static func preTokenizer(_ type: String, _ node: JSONNode) throws(TokenizerError) -> [PreTokenizer]? {
        let place = "pre_tokenizer"
        switch type {
        case "ByteLevel":
            var steps: [PreTokenizer] = node["add_prefix_space"]?.bool ?? true ? [.spacePrefix] : []
            if node["use_regex"]?.bool ?? true { steps.append(.known(.gpt2)) }
            return steps + [.byteAlphabet]
        case "Split": return [try split(node, place)]
        case "Whitespace":
            return [.split(.pattern(try Pattern(#"\w+|[^\w\s]+"#)), .removed, inverted: true)]
        case "WhitespaceSplit": return [.whitespace]
        case "BertPreTokenizer": return [.bert]
        case "Metaspace":
            var metaspace = Metaspace()
            metaspace.replacement = bytes(node, "replacement", "▁")
            if let scheme = node["prepend_scheme"]?.string {
                guard let prefix = Metaspace.Prefix(rawValue: scheme) else {
                    throw error(place, "unknown prepend_scheme \(scheme.prefix(40))")
                }
                metaspace.prefix = prefix
            } else {
                metaspace.prefix = node["add_prefix_space"]?.bool ?? true ? .always : .never
            }
            metaspace.splits = node["split"]?.bool ?? true
            return [.metaspace(metaspace)]
        case "Punctuation": return [.split(.punctuation, try behavior(node, place), inverted: false)]
        case "Digits":
            let isIndividual = node["individual_digits"]?.bool ?? false
            let behavior = isIndividual ? PieceList.Behavior.isolated : .contiguous
            return [.split(.categories(GeneralCategories.numbers), behavior, inverted: false)]
        case "CharDelimiterSplit":
            return [.split(.text(bytes(node, "delimiter", " ")), .removed, inverted: false)]
        case "FixedLength":
            let length = node["length"]?.int ?? 0
            guard length > 0 else { throw error(place, "piece length \(length) must be above 0") }
            return [.fixedLength(Int(length))]
        default: return nil
        }
    }

    private static func behavior(_ node: JSONNode, _ place: String) throws(TokenizerError) -> PieceList.Behavior {
        let name = node["behavior"]?.string ?? "Isolated"
        guard let behavior = PieceList.Behavior(rawValue: name) else {
            throw error(place, "unknown behavior \(name.prefix(40))")
        }
        return behavior
    }

    private static func split(_ node: JSONNode, _ place: String) throws(TokenizerError) -> PreTokenizer {
        let behavior = try behavior(node, place)
        let isInverted = node["invert"]?.bool ?? false
        if let source = node["pattern"]?["Regex"]?.string, let known = KnownPattern(rawValue: source) {
            // A published pattern matches everything, so that cutting at matches or between them is the same.
            if behavior == .isolated || (behavior == .removed && isInverted) { return .known(known) }
        }
        switch try target(node["pattern"], place) {
        case .text(let text): return .split(.text(text), behavior, inverted: isInverted)
        case .pattern(let pattern): return .split(.pattern(pattern), behavior, inverted: isInverted)
        }
    }

    static func decoding(_ node: JSONNode?) throws(TokenizerError) -> [DecodingStep] {
        guard let node, !node.isNull else { return [.joined([UInt8(ascii: " ")])] }
        return try steps(node, "decoder", "decoders", 0, decodingStep)
    }

    private static func decodingStep(_ type: String, _ node: JSONNode) throws(TokenizerError) -> [DecodingStep]? {
        let place = "decoder"
        switch type {
        case "ByteLevel": return [.byteLevel]
        case "Metaspace":
            let scheme = node["prepend_scheme"]?.string
            let drops = scheme.map { $0 != "never" } ?? node["add_prefix_space"]?.bool ?? true
            return [.metaspace(bytes(node, "replacement", "▁"), dropsFirst: drops)]
        case "WordPiece":
            let prefix = bytes(node, "prefix", "##")
            return [.wordPiece(prefix: prefix, cleansUp: node["cleanup"]?.bool ?? true)]
        case "BPEDecoder": return [.endSuffix(bytes(node, "suffix", "</w>"))]
        case "ByteFallback": return [.byteFallback]
        case "Fuse": return [.fuse]
        case "Strip":
            let content = bytes(node, "content", " ")
            let (start, stop) = (node["start"]?.int ?? 0, node["stop"]?.int ?? 0)
            return [.strip(content: content, start: Int(clamping: start), stop: Int(clamping: stop))]
        case "Replace": return [.replace(try replacement(node, place))]
        case "CTC":
            return [
                .repetitions(
                    padding: bytes(node, "pad_token", "<pad>"),
                    delimiter: bytes(node, "word_delimiter_token", "|"),
                    cleansUp: node["cleanup"]?.bool ?? true)
            ]
        default: return nil
        }
    }

    /// What is written round texts.
    func template(_ parts: TokenizerParts) throws(TokenizerError) -> EncodingTemplate {
        if let node = root["post_processor"] {
            let templates = try Self.steps(node, "post_processor", "processors", 0) {
                (type, node) throws(TokenizerError) in try Self.templates(type, node, parts.pieces.count)
            }
            if let template = templates.last { return template }
        }
        let bos = settings.addsBOS == true ? parts.special.bos.map { [$0] } ?? [] : []
        let eos = settings.addsEOS == true ? parts.special.eos.map { [$0] } ?? [] : []
        if bos.isEmpty, eos.isEmpty { return .bare }
        return .joined(before: bos, after: eos, between: [], secondTypeID: 1)
    }

    private static func templates(
        _ type: String, _ node: JSONNode, _ count: Int
    ) throws(TokenizerError) -> [EncodingTemplate]? {
        let place = "post_processor"
        func token(_ key: String) throws(TokenizerError) -> TokenID {
            guard let id = node.member(named: key)?.element(at: 1)?.int, id >= 0, id < count else {
                throw error(place, "\(key) is not a token")
            }
            return TokenID(id)
        }
        switch type {
        case "ByteLevel": return []
        case "BertProcessing":
            return [.joined(before: [try token("cls")], after: [try token("sep")], between: [], secondTypeID: 1)]
        case "RobertaProcessing":
            let (cls, sep) = (try token("cls"), try token("sep"))
            return [.joined(before: [cls], after: [sep], between: [sep], secondTypeID: 0)]
        case "TemplateProcessing":
            return [
                EncodingTemplate(
                    single: try items(node["single"], node["special_tokens"], count),
                    pair: try items(node["pair"], node["special_tokens"], count))
            ]
        default: return nil
        }
    }

    private static func items(
        _ node: JSONNode?, _ tokens: JSONNode?, _ count: Int
    ) throws(TokenizerError) -> [EncodingTemplate.Item] {
        let place = "post_processor"
        var items: [EncodingTemplate.Item] = []
        guard let node, node.kind == .array, node.count <= 1024 else {
            throw error(place, "a template must be a list of pieces")
        }
        for piece in node.elements {
            if let text = piece["Sequence"] {
                let typeID = UInt8(clamping: text["type_id"]?.int ?? 0)
                items.append(.text(isSecond: text["id"]?.equals("B") ?? false, typeID: typeID))
            } else if let special = piece["SpecialToken"], let name = special["id"]?.string {
                guard let ids = tokens?.member(named: name)?["ids"], ids.count <= 1024 else {
                    throw error(place, "the template has a special token that is missing from special_tokens")
                }
                var numbers: [TokenID] = []
                for id in ids.elements {
                    guard let number = id.int, number >= 0, number < count else {
                        throw error(place, "a special token of the template is not in the vocabulary")
                    }
                    numbers.append(TokenID(number))
                }
                items.append(.tokens(numbers, typeID: UInt8(clamping: special["type_id"]?.int ?? 0)))
            } else {
                throw error(place, "a template piece must be a Sequence or a SpecialToken")
            }
        }
        return items
    }
}

extension Normalizer {
    var isByteAlphabet: Bool { if case .byteAlphabet = self { true } else { false } }
}

extension PreTokenizer {
    var isByteAlphabet: Bool { if case .byteAlphabet = self { true } else { false } }
}
