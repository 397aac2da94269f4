internal import LanguageModels

// Failures as sentences.

extension EndpointTransport {
    /// Why an exchange failed.
    func failure(_ failure: HTTPFailure, _ redaction: Redaction, retries: Int) -> LanguageModelError {
        let tries = retries == 0 ? "" : ", in \(retries + 1) tries"
        func error(_ kind: LanguageModelError.Kind, _ problem: String, _ remedy: String = "") -> LanguageModelError {
            LanguageModelError(kind, model: endpoint.title, problem: problem, remedy: remedy)
        }
        // It took minutes until it failed, and a server that hangs mostly hangs again.
        func slow(_ problem: String, _ remedy: String = "") -> LanguageModelError {
            var error = error(.timeout, problem, remedy)
            error.mostRetries = 2
            return error
        }
        func quoted(_ message: String) -> String {
            let text = redaction.clean(message)
            return text.isEmpty ? "" : " (\(text))"
        }
        let timeouts = endpoint.timeouts
        switch failure {
        case .cancelled: return error(.local, "the request was cancelled")
        case .unavailable(let text): return error(.local, text, "Install it, or choose a model in this process.")
        case .noConnection(let text):
            return error(
                .connection, "no connection to \(endpoint.publicAddress)\(tries)\(quoted(text))",
                "Check that the server runs, and the address.")
        case .connectTimeout:
            return error(
                .timeout, "no connection to \(endpoint.publicAddress) within \(Self.seconds(timeouts.connect))\(tries)",
                "Check the address, the network and the proxy.")
        case .firstByteTimeout:
            return slow("no answer began within \(Self.seconds(timeouts.firstByte))")
        case .idleTimeout:
            return slow("the answer stopped for more than \(Self.seconds(timeouts.idle))")
        case .totalTimeout:
            return slow(
                "the answer was not whole within \(Self.seconds(timeouts.total))",
                "Ask for fewer tokens, or give more time with ,timeout=SECONDS.")
        case .notTrusted(let text):
            return error(
                .connection, "its certificate or handshake is refused\(quoted(text))",
                "If the certificate is your own, name its file in CURL_CA_BUNDLE.")
        case .broken(let text, let afterHead):
            let place = afterHead ? "the connection broke during the answer" : "the connection broke\(tries)"
            return error(.connection, place + quoted(text))
        case .notHTTP:
            return error(.protocolViolation, "what came back is not HTTP", "Check the address and its port.")
        case .headersTooLarge:
            return error(.protocolViolation, "the header lines are longer than \(client.limits.headers) bytes")
        case .bodyTooLarge:
            return error(.protocolViolation, "the answer is longer than \(client.limits.body) bytes")
        case .encoded(let encoding):
            return error(
                .protocolViolation, "the answer is compressed (\(redaction.clean(encoding))), which was not asked for")
        case .outOfMemory: return error(.local, "there is not enough memory for the exchange")
        case .refusedAddress(let text):
            return error(.request, "the address is refused\(quoted(text))", "Correct the address.")
        }
    }

    /// Why the endpoint refused.
    func failure(_ refusal: Refusal, retries: Int) -> LanguageModelError {
        let tries = retries == 0 ? "" : " in \(retries + 1) tries"
        let said = refusal.message.isEmpty ? "" : ": \(refusal.message)"
        func error(_ kind: LanguageModelError.Kind, _ problem: String, _ remedy: String) -> LanguageModelError {
            LanguageModelError(
                kind, model: endpoint.title, problem: problem, remedy: remedy, retryAfter: refusal.retryAfter,
                mostRetries: refusal.isForGood ? 0 : nil)
        }
        switch refusal.status {
        case 300..<400:
            return error(
                .request, "it redirects elsewhere (\(refusal.status)), which is not followed",
                "Give the address that it redirects to.")
        case 401, 403:
            // What the server says about a key may show parts of it.
            let problem = endpoint.keyVariable.map { "the key in \($0) is refused (\(refusal.status))" }
            return error(
                .authorization, problem ?? "it wants a key (\(refusal.status))",
                endpoint.keyVariable.map { "Check \($0) and what its account may use." }
                    ?? "Name the variable that holds a key with ,key=NAME.")
        case 402:
            return error(
                .authorization, "it wants to be paid (402)\(said)", "Pay for its account, or take another one.")
        case 404:
            return error(.request, "not found (404)\(said)", "Check the address and the model's name.")
        case 408: return error(.timeout, "the server gave up waiting (408)\(tries)\(said)", "")
        case 413: return error(.request, "the request is too large (413)\(said)", "Shorten it.")
        case 429 where refusal.isOutOfMoney:
            return error(
                .rateLimit, "the quota of its account is used up (429)\(said)",
                "Pay for the account or raise its limit, then retry.")
        case 429:
            let wait = refusal.retryAfter.map { "It asks to wait \(Self.seconds($0))." }
            return error(
                .rateLimit, "too many requests (429)\(tries)\(said)", wait ?? "Wait, or ask less often.")
        case 400..<500: return error(.request, "the request is refused (\(refusal.status))\(said)", "")
        case 500...:
            return error(.server, "the server failed (\(refusal.status))\(tries)\(said)", "")
        default: return error(.protocolViolation, "it answers with the status \(refusal.status)", "")
        }
    }

    /// `1 second`, `0.25 seconds`.
    private static func seconds(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        let number = rounded == rounded.rounded() && abs(rounded) < 1e9 ? String(Int(rounded)) : String(rounded)
        return number + (number == "1" ? " second" : " seconds")
    }
}
