import LanguageModels

extension Message {
    /// The texts that searching looks through, each for itself: what was said and thought, names and arguments of
    /// calls, results, and the JSON of parts that have no name here.
    var searchableTexts: [String] {
        var texts: [String] = []
        texts.reserveCapacity(parts.count)
        for part in parts {
            switch part {
            case .text(let text), .reasoning(let text): texts.append(text)
            case .toolCall(let call):
                texts.append(call.name)
                texts.append(call.arguments)
            case .toolResult(let result): texts.append(result.content)
            case .attachment(let attachment): if let location = attachment.location { texts.append(location) }
            case .other(_, let json): texts.append(json)
            }
        }
        return texts
    }
}
