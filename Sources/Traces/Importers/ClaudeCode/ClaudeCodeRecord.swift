import JSON

/// One line of a session: the members that an importer asks for, found in one pass over the line.
struct ClaudeCodeRecord {
    enum Kind {
        case user, assistant, progress, system, other
    }

    let node: JSONNode
    var kind = Kind.other
    var type: JSONNode?
    var subtype: JSONNode?
    var uuid: JSONNode?
    var parentUuid: JSONNode?
    var sessionID: JSONNode?
    var agentID: JSONNode?
    var timestamp: JSONNode?
    var message: JSONNode?
    var data: JSONNode?
    var cwd: JSONNode?
    var toolUseID: JSONNode?
    var parentToolUseID: JSONNode?
    var toolUseResult: JSONNode?
    var isMeta = false
    var isCompactSummary = false
    var isAPIError = false
    var isSidechain = false
    /// The payload of the lines that name a session.
    var title: JSONNode?
    var leafUuid: JSONNode?

    init(_ node: JSONNode) {
        self.node = node
        node.forEachMember { key, value in take(key, value) }
        guard let type, let length = type.rawString?.count else { return }
        switch length {
        case 4 where type.equals("user"): kind = .user
        case 9 where type.equals("assistant"): kind = .assistant
        case 8 where type.equals("progress"): kind = .progress
        case 6 where type.equals("system"): kind = .system
        default: break
        }
    }

    /// Keeps a member that is asked for. Length and first letter leave mostly one name to compare with.
    private mutating func take(_ key: JSONNode, _ value: JSONNode) {
        guard let name = key.rawString, name.count > 2 else { return }
        switch (name.count, Unicode.Scalar(name[0])) {
        case (4, "t"): if key.equals("type") { type = value }
        case (4, "u"): if key.equals("uuid") { uuid = value }
        case (9, "s"): if key.equals("sessionId") { sessionID = value }
        case (9, "t"):
            if key.equals("timestamp") { timestamp = value } else if key.equals("toolUseID") { toolUseID = value }
        case (10, "p"): if key.equals("parentUuid") { parentUuid = value }
        case (7, "m"): if key.equals("message") { message = value }
        case (7, "a"): if key.equals("agentId") { agentID = value } else if key.equals("aiTitle") { title = value }
        case (7, "s"): if key.equals("subtype") { subtype = value } else if key.equals("summary") { title = value }
        case (4, "d"): if key.equals("data") { data = value }
        case (3, "c"): if key.equals("cwd") { cwd = value }
        case (15, "p"): if key.equals("parentToolUseID") { parentToolUseID = value }
        case (13, "t"): if key.equals("toolUseResult") { toolUseResult = value }
        case (11, "i"): if key.equals("isSidechain") { isSidechain = value.bool == true }
        case (6, "i"): if key.equals("isMeta") { isMeta = value.bool == true }
        case (16, "i"): if key.equals("isCompactSummary") { isCompactSummary = value.bool == true }
        case (17, "i"): if key.equals("isApiErrorMessage") { isAPIError = value.bool == true }
        case (8, "l"): if key.equals("leafUuid") { leafUuid = value }
        case (11, "c"): if key.equals("customTitle") { title = value }
        default: break
        }
    }

    /// Whether the line is part of the conversation: only these make messages and spans.
    var isMessage: Bool { kind == .user || kind == .assistant }
}

extension JSONNode {
    /// The digest of a string that is not empty; `nil` for anything else.
    func key(seed: UInt64 = 0) -> UInt64? {
        guard let raw = rawString, raw.count > 0 else { return nil }
        if !hasEscapes { return Digest.of(raw, seed: seed) }
        return withUTF8 { Digest.of($0, seed: seed) }
    }

    /// The text of a string that is not empty.
    var nonEmptyString: String? {
        guard let raw = rawString, raw.count > 0 else { return nil }
        return string
    }
}
