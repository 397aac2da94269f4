/// What is written round the tokens of a text, or of a pair.
package struct EncodingTemplate: Sendable, Equatable {
    package enum Item: Sendable, Equatable {
        case tokens([TokenID], typeID: UInt8)
        /// The first text, or the second.
        case text(isSecond: Bool, typeID: UInt8)
    }

    package var single: [Item]
    package var pair: [Item]

    package init(single: [Item], pair: [Item]) {
        self.single = single
        self.pair = pair
    }

    /// Nothing but the texts.
    package static let bare = EncodingTemplate(
        single: [.text(isSecond: false, typeID: 0)],
        pair: [.text(isSecond: false, typeID: 0), .text(isSecond: true, typeID: 1)])

    /// The tokens before the first text, and those after the last.
    package func begins(with id: TokenID?) -> Bool {
        guard let id, case .tokens(let ids, _)? = single.first else { return false }
        return ids.contains(id)
    }

    package func ends(with id: TokenID?) -> Bool {
        guard let id, case .tokens(let ids, _)? = single.last else { return false }
        return ids.contains(id)
    }
}
