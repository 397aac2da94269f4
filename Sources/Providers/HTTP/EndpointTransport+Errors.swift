internal import LanguageModels

// Failures as sentences.

extension EndpointTransport {
    /// Why an exchange failed.
    func failure(_ failure: HTTPFailure, _ redaction: Redaction, retries: Int) -> LanguageModelError {
        let tries = retries == 0 ? "" : ", in \(retries + 1) attempts"
        func error(_ kind: LanguageModelError.Kind, _ problem: String, _ remedy: String = "") -> LanguageModelError {
            LanguageModelError(kind, model: endpoint.title, problem: problem, remedy: remedy)
        }
        // It took minutes until it failed, and a server that hangs mostly hangs again.
        func slow(_ problem: String, _ remedy: String = "") -> LanguageModelError {
            var error = error(.timeout, problem, remedy)
            error.maximumRetries = 2
            return error
        }
        func quoted(_ message: String) -> String {
            let text = redaction.clean(message)
            return text.isEmpty ? "" : " (\(text))"
        }
        let timeouts = endpoint.timeouts
        switch failure {
        case .cancelled: return error(.local, "the request was canceled")
        case .unavailable(let text): return error(.local, text, "Install the library, or use a local model.")
        case .noConnection(let text):
            return error(
                .connection, "no connection to \(endpoint.publicAddress)\(tries)\(quoted(text))",
                "Check the address and that the server is running.")
        case .connectTimeout:
            return error(
                .timeout, "no connection to \(endpoint.publicAddress) within \(Self.seconds(timeouts.connect))\(tries)",
                "Check the address, the network, and the proxy.")
        case .firstByteTimeout:
            return slow("no response started within \(Self.seconds(timeouts.firstByte))")
        case .idleTimeout:
            return slow("the response stalled for more than \(Self.seconds(timeouts.idle))")
        case .totalTimeout:
            return slow(
                "the response was incomplete after \(Self.seconds(timeouts.total))",
                "Request fewer tokens, or allow more time with ,timeout=SECONDS.")
        case .notTrusted(let text):
            return error(
                .connection, "the TLS certificate or handshake was rejected\(quoted(text))",
                "If the server has a certificate of your own, set CURL_CA_BUNDLE to the certificate file.")
        case .broken(let text, let afterHead):
            let place = afterHead ? "the connection broke during the response" : "the connection broke\(tries)"
            return error(.connection, place + quoted(text))
        case .notHTTP:
            return error(.protocolViolation, "the server did not reply with HTTP", "Check the address and its port.")
        case .headersTooLarge:
            return error(.protocolViolation, "the response headers are longer than \(client.limits.headers) bytes")
        case .bodyTooLarge:
            return error(.protocolViolation, "the response is longer than \(client.limits.body) bytes")
        case .encoded(let encoding):
            return error(
                .protocolViolation,
                "the response is compressed (\(redaction.clean(encoding))), but the request did not allow it")
        case .outOfMemory: return error(.local, "not enough memory for the request")
        case .refusedAddress(let text):
            return error(.request, "the address is invalid\(quoted(text))", "Correct the address.")
        }
    }

    /// Why the endpoint refused.
    func failure(_ refusal: Refusal, retries: Int) -> LanguageModelError {
        let tries = retries == 0 ? "" : " in \(retries + 1) attempts"
        let said = refusal.message.isEmpty ? "" : ": \(refusal.message)"
        func error(_ kind: LanguageModelError.Kind, _ problem: String, _ remedy: String) -> LanguageModelError {
            LanguageModelError(
                kind, model: endpoint.title, problem: problem, remedy: remedy, retryAfter: refusal.retryAfter,
                maximumRetries: refusal.isForGood ? 0 : nil)
        }
        switch refusal.status {
        case 300..<400:
            return error(
                .request, "the server redirects to another address (\(refusal.status)), which Orrery does not follow",
                "Use the address to which the server redirects.")
        case 401, 403:
            // What the server says about a key may show parts of it.
            let problem = endpoint.keyVariable.map { "the server rejected the key in \($0) (\(refusal.status))" }
            return error(
                .authorization, problem ?? "the server requires a key (\(refusal.status))",
                endpoint.keyVariable.map { "Check \($0) and the permissions of its account." }
                    ?? "Set ,key=NAME to an environment variable with a key.")
        case 402:
            return error(
                .authorization, "the server requires payment (402)\(said)",
                "Add credit to the account, or use another one.")
        case 404:
            return error(.request, "not found (404)\(said)", "Check the address and the model name.")
        case 408: return error(.timeout, "the server timed out (408)\(tries)\(said)", "")
        case 413: return error(.request, "the request is too large (413)\(said)", "Shorten the request.")
        case 429 where refusal.isOutOfMoney:
            return error(
                .rateLimit, "the account's quota is exhausted (429)\(said)",
                "Add credit or raise the account's limit, then retry.")
        case 429:
            let wait = refusal.retryAfter.map { "The server asks you to wait \(Self.seconds($0))." }
            return error(
                .rateLimit, "too many requests (429)\(tries)\(said)", wait ?? "Wait, or send requests less often.")
        case 400..<500: return error(.request, "the server rejected the request (\(refusal.status))\(said)", "")
        case 500...:
            return error(.server, "the server failed (\(refusal.status))\(tries)\(said)", "")
        default: return error(.protocolViolation, "unexpected status \(refusal.status)", "")
        }
    }

    /// `1 second`, `0.25 seconds`.
    private static func seconds(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        let number = rounded == rounded.rounded() && abs(rounded) < 1e9 ? String(Int(rounded)) : String(rounded)
        return number + (number == "1" ? " second" : " seconds")
    }
}
