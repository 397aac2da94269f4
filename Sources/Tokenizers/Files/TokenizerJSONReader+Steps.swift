internal import JSON

extension TokenizerJSONReader {
    private static let deepest = 16

    private static func type(_ node: JSONNode, _ place: String, _ depth: Int) throws(TokenizerError) -> String {
        guard depth <= deepest else { throw error(place, "sequences are nested deeper than \(deepest)") }
        guard let type = node["type"]?.string else { throw error(place, "a step has no type") }
        return type
    }

    private static func unknown(_ type: String, _ place: String) -> TokenizerError {
        error(place, "unknown step type \(type.prefix(40))")
    }

    private static func list(_ node: JSONNode, _ key: String, _ place: String) throws(TokenizerError) -> [JSONNode] {
        guard let steps = node.member(named: key), steps.kind == .array else {
            throw error(place, "a sequence has no \(key)")
        }
        return Array(steps.elements)
    }

    /// A pattern of the form `{"String": …}` or `{"Regex": …}`, or a bare string.
    private static func matcher(_ node: JSONNode?, _ place: String) throws(TokenizerError) -> PreTokenizer.Matcher {
        if let text = node?.string ?? node?["String"]?.string { return .text(Array(text.utf8)) }
        if let source = node?["Regex"]?.string { return .pattern(try Pattern(source)) }
        throw error(place, "a step has no pattern")
    }

    static func normalizers(_ node: JSONNode?, depth: Int) throws(TokenizerError) -> [Normalizer] {
        guard let node, !node.isNull else { return [] }
        let place = "normalizer"
        let type = try type(node, place, depth)
        switch type {
        case "Sequence":
            var steps: [Normalizer] = []
            for step in try list(node, "normalizers", place) { steps += try normalizers(step, depth: depth + 1) }
            return steps
        case "NFC": return [.form(.nfc)]
        case "NFD": return [.form(.nfd)]
        case "NFKC": return [.form(.nfkc)]
        case "NFKD": return [.form(.nfkd)]
        case "Lowercase": return [.lowercase]
        case "Strip":
            return [.strip(left: node["strip_left"]?.bool ?? true, right: node["strip_right"]?.bool ?? true)]
        case "StripAccents": return [.stripAccents]
        case "Prepend": return [.prepend(Array((node["prepend"]?.string ?? "").utf8))]
        case "Replace":
            let content = Array((node["content"]?.string ?? "").utf8)
            switch try matcher(node["pattern"], place) {
            case .pattern(let pattern): return [.replace(Replacement(.pattern(pattern), with: content))]
            case .text(let text): return [.replace(Replacement(.text(text), with: content))]
            default: return []
            }
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
        default: throw unknown(type, place)
        }
    }

    static func preTokenizers(_ node: JSONNode?, depth: Int) throws(TokenizerError) -> [PreTokenizer] {
        guard let node, !node.isNull else { return [] }
        let place = "pre_tokenizer"
        let type = try type(node, place, depth)
        switch type {
        case "Sequence":
            var steps: [PreTokenizer] = []
            for step in try list(node, "pretokenizers", place) { steps += try preTokenizers(step, depth: depth + 1) }
            return steps
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
            metaspace.replacement = Array((node["replacement"]?.string ?? "▁").utf8)
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
            return [.split(.text(Array((node["delimiter"]?.string ?? " ").utf8)), .removed, inverted: false)]
        case "FixedLength":
            let length = node["length"]?.int ?? 0
            guard length > 0 else { throw error(place, "piece length \(length) must be above 0") }
            return [.fixedLength(Int(length))]
        default: throw unknown(type, place)
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
        return .split(try matcher(node["pattern"], place), behavior, inverted: isInverted)
    }

    static func decoding(_ node: JSONNode?, depth: Int) throws(TokenizerError) -> [DecodingStep] {
        guard let node, !node.isNull else { return depth == 0 ? [.joined([UInt8(ascii: " ")])] : [] }
        let place = "decoder"
        let type = try type(node, place, depth)
        switch type {
        case "Sequence":
            var steps: [DecodingStep] = []
            for step in try list(node, "decoders", place) { steps += try decoding(step, depth: depth + 1) }
            return steps
        case "ByteLevel": return [.byteLevel]
        case "Metaspace":
            let scheme = node["prepend_scheme"]?.string
            let drops = scheme.map { $0 != "never" } ?? node["add_prefix_space"]?.bool ?? true
            return [.metaspace(Array((node["replacement"]?.string ?? "▁").utf8), dropsFirst: drops)]
        case "WordPiece":
            let prefix = Array((node["prefix"]?.string ?? "##").utf8)
            return [.wordPiece(prefix: prefix, cleansUp: node["cleanup"]?.bool ?? true)]
        case "BPEDecoder": return [.endSuffix(Array((node["suffix"]?.string ?? "</w>").utf8))]
        case "ByteFallback": return [.byteFallback]
        case "Fuse": return [.fuse]
        case "Strip":
            let content = Array((node["content"]?.string ?? " ").utf8)
            let (start, stop) = (node["start"]?.int ?? 0, node["stop"]?.int ?? 0)
            return [.strip(content: content, start: Int(clamping: start), stop: Int(clamping: stop))]
        case "Replace":
            let content = Array((node["content"]?.string ?? "").utf8)
            switch try matcher(node["pattern"], place) {
            case .pattern(let pattern): return [.replace(Replacement(.pattern(pattern), with: content))]
            case .text(let text): return [.replace(Replacement(.text(text), with: content))]
            default: return []
            }
        case "CTC":
            return [
                .repetitions(
                    padding: Array((node["pad_token"]?.string ?? "<pad>").utf8),
                    delimiter: Array((node["word_delimiter_token"]?.string ?? "|").utf8),
                    cleansUp: node["cleanup"]?.bool ?? true)
            ]
        default: throw unknown(type, place)
        }
    }

    /// What is written round texts.
    func template(_ parts: TokenizerParts) throws(TokenizerError) -> EncodingTemplate {
        if let template = try Self.template(root["post_processor"], parts.pieces.count, depth: 0) { return template }
        let bos = settings.addsBOS == true ? parts.special.bos.map { [$0] } ?? [] : []
        let eos = settings.addsEOS == true ? parts.special.eos.map { [$0] } ?? [] : []
        if bos.isEmpty, eos.isEmpty { return .bare }
        return .joined(before: bos, after: eos, between: [], secondTypeID: 1)
    }

    private static func template(
        _ node: JSONNode?, _ count: Int, depth: Int
    ) throws(TokenizerError) -> EncodingTemplate? {
        guard let node, !node.isNull else { return nil }
        let place = "post_processor"
        let type = try type(node, place, depth)
        func token(_ key: String) throws(TokenizerError) -> TokenID {
            guard let id = node.member(named: key)?.element(at: 1)?.int, id >= 0, id < count else {
                throw error(place, "\(key) is not a token")
            }
            return TokenID(id)
        }
        switch type {
        case "Sequence":
            var found: EncodingTemplate?
            for step in try list(node, "processors", place) {
                if let template = try template(step, count, depth: depth + 1) { found = template }
            }
            return found
        case "ByteLevel": return nil
        case "BertProcessing":
            return .joined(before: [try token("cls")], after: [try token("sep")], between: [], secondTypeID: 1)
        case "RobertaProcessing":
            let (cls, sep) = (try token("cls"), try token("sep"))
            return .joined(before: [cls], after: [sep], between: [sep], secondTypeID: 0)
        case "TemplateProcessing":
            return EncodingTemplate(
                single: try items(node["single"], node["special_tokens"], count),
                pair: try items(node["pair"], node["special_tokens"], count))
        default: throw unknown(type, place)
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
