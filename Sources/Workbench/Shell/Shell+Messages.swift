internal import Console

extension Shell {
    /// Maximum number of stored messages.
    private static let mostMessages = 200

    /// Shows a message for some seconds, and stores it for `:messages`.
    package func notify(_ sentence: String, _ severity: Severity) {
        let seconds = severity == .failure ? 12 : severity == .warning ? 6 : 4
        toast = ToastState(
            sentence: sentence, severity: severity, isNews: isAnnouncing, shown: .now, until: .now + .seconds(seconds))
        messages.append((sentence, severity))
        if messages.count > Self.mostMessages { messages.removeFirst() }
        needsDrawing = true
    }

    /// Shows the first of several messages with the number of the others, and stores all of them for `:messages`.
    ///
    /// - Parameter brief: Shorter form of the first message, for the footer.
    func notify(_ news: [(sentence: String, severity: Severity)], shortened brief: String?) {
        isAnnouncing = true
        defer { isAnnouncing = false }
        // The list shows the newest message first.
        for (sentence, severity) in news.reversed() { notify(sentence, severity) }
        guard let first = news.first else { return }
        let more = news.count > 1 ? " (and \(news.count - 1) more: type :messages)" : ""
        toast?.sentence = (brief ?? first.sentence) + more
    }

    /// Opens the list of `:messages`, newest first.
    func showMessages() {
        let sections = messages.reversed().map { sentence, severity in
            TextSection(sentence, role: severity.role, margin: StyledLine(" "))
        }
        overlay = .messages(TextView(sections.isEmpty ? [TextSection("No messages yet.", role: .dim)] : sections))
        toast = nil
        needsDrawing = true
    }

    func read(_ text: TextView, _ key: Key) {
        var text = text
        text.layout(Self.messageSize(in: size))
        switch key.code {
        case .escape, .enter, .character("q"): return overlay = nil
        case .down, .character("j"): text.scroll(by: 1)
        case .up, .character("k"): text.scroll(by: -1)
        case .pageDown, .character(" "): text.scrollPages(by: 1)
        case .pageUp: text.scrollPages(by: -1)
        default: break
        }
        overlay = .messages(text)
    }

    private static func messageSize(in size: Size) -> Size {
        Size(max(20, size.columns * 3 / 4), max(3, size.rows / 2))
    }

    func draw(messages text: TextView, into surface: inout Surface) {
        let inside = Popup("Messages", content: Self.messageSize(in: size))
            .draw(into: &surface, in: surface.bounds, theme: theme)
        var text = text
        text.layout(inside.size)
        text.draw(into: &surface, in: inside, theme: theme)
    }
}

extension Severity {
    /// Color role of a message with this severity.
    var role: Role {
        switch self {
        case .information: .text
        case .success: .success
        case .warning: .warning
        case .failure: .failure
        }
    }
}
