//! What a program relies on, tried on the catalogue with every feature.
#![allow(deprecated)] // the catalogue deprecates what is tried here

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sink_errors::*;

fn made(code: ErrorCode) -> SinkError {
    SinkError::new(code, "m")
}

fn is_an_error<T: Error + Send + Sync + 'static>() {}

#[test]
fn errors_go_where_errors_go() -> Result<(), Box<dyn Error + Send + Sync>> {
    is_an_error::<SinkError>();
    is_an_error::<UnknownCode>();
    is_an_error::<UnknownWord>();
    assert_eq!(
        std::mem::size_of::<SinkError>(),
        std::mem::size_of::<usize>()
    );
    let failed: Result<(), SinkError> = Err(made(ErrorCode::NodeFailed));
    let error: Box<dyn Error + Send + Sync> = failed.unwrap_err().into();
    let found: &SinkError = error.downcast_ref().ok_or("none")?;
    assert_eq!(found.known(), Some(ErrorCode::NodeFailed));
    Ok(())
}

#[test]
fn v1_any_code_can_be_told_and_is_not_worth_a_retry() {
    let error = SinkError::from_parts("ANY_CODE", "m", None);
    assert_eq!(
        (error.code(), error.message(), error.known()),
        ("ANY_CODE", "m", None)
    );
    assert_eq!(error.retryable(), Some(false));
    let error = SinkError::from_parts("ANY_CODE", "m", Some(true));
    assert_eq!(error.retryable(), Some(true));
    assert_eq!(
        error.to_wire(),
        r#"{"code":"ANY_CODE","message":"m","retryable":true}"#
    );
}

#[test]
fn v5_the_last_stamp_wins() {
    let mut error = made(ErrorCode::NodeFailed);
    assert_eq!(error.retryable(), Some(false));
    assert_eq!(error.stamp_retryable(true).retryable(), Some(true));
    assert_eq!(error.stamp_retryable(false).retryable(), Some(false));
    assert_eq!(error.stamp_retryable(true).to_string(), "m");
}

#[test]
fn p1_a_pin_goes_before_a_stamp_before_its_maker_before_the_rules() {
    let mut error = SinkError::new(details::Budget::new("a", 3), "m").with_retryable(true);
    assert_eq!(error.stamp_retryable(true).retryable(), Some(false));
    let mut error = made(ErrorCode::NodeTimeout).with_retryable(false);
    assert_eq!(error.retryable(), Some(false));
    assert_eq!(error.stamp_retryable(true).retryable(), Some(true));
    let mut handoff = made(ErrorCode::Handoff);
    assert_eq!(handoff.stamp_retryable(true).retryable(), Some(false));
    assert!(handoff.is_control() && !error.is_control());
}

#[test]
fn p2_p3_the_fields_decide_and_the_status_of_the_code_does_not() {
    let fields = details::HTTPConnect::new().with_status(404);
    assert_eq!(SinkError::new(fields, "m").retryable(), Some(false));
    assert_eq!(made(ErrorCode::HTTPConnect).retryable(), None);
    assert_eq!(made(ErrorCode::RateLimited).http_status(), Some(429));
}

#[test]
fn p4_a_verdict_is_that_of_the_code_in_a_field() {
    let of = |code: AnyCode| {
        let fields = details::ModelFailed::new().with_model_error(code);
        SinkError::new(fields, "m").retryable()
    };
    assert_eq!(of(ModelErrorKind::Overloaded.into()), Some(true));
    assert_eq!(of("auth".into()), Some(false));
    assert_eq!(of("no such code".into()), Some(false));
    assert_eq!(made(ErrorCode::ModelFailed).retryable(), Some(false));
}

#[test]
fn p5_what_the_caller_knows_counts_unless_the_verdict_was_stated() {
    let first = Context::new().with_attempt(1);
    let mut error = made(ErrorCode::HTTPConnect);
    assert_eq!(error.retryable_in(&first), Some(true));
    assert_eq!(error.retryable_in(&Context::new().with_attempt(3)), None);
    error.stamp_retryable(false);
    assert_eq!(error.retryable_in(&first), Some(false));
    let told = made(ErrorCode::HTTPConnect).with_retryable(false);
    assert_eq!(told.retryable_in(&first), Some(false));
}

#[test]
fn h1_h2_errors_of_others_are_judged_by_their_status() {
    for (status, verdict) in [
        (Some(408), true),
        (Some(404), false),
        (Some(503), true),
        (Some(399), true),
        (Some(600), true),
        (None, true),
    ] {
        assert_eq!(is_retryable_status(status), verdict, "{status:?}");
    }
}

#[test]
fn e3_an_error_shows_what_it_has() {
    let source = "x".parse::<i32>().unwrap_err();
    let error = SinkError::from(details::Budget::new("a", 3)).with_source(source);
    assert_eq!(error.to_string(), "Agent a used 3 of {budget} tokens");
    assert!(error
        .source()
        .unwrap()
        .downcast_ref::<std::num::ParseIntError>()
        .is_some());
    let shown = format!("{error:?}");
    for part in ["SinkError", "\"budget\"", "tokens_used: 3", "ParseIntError"] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn e4_the_wire_is_json_whatever_it_carries() {
    let inner = Issue::new(IssueCode::Mismatch).with_path(["a \" \\ \u{1}\u{2028}é"]);
    let fields = details::Budget::new("\n", -1)
        .with_took(Duration::from_micros(1_500_999))
        .with_rate(f64::NAN)
        .with_flags([BudgetErrorFlags::A])
        .with_issues([Issue::new(IssueCode::NoAgent).with_inner([inner])])
        .with_raw(Json::from_iter([
            ("k", Json::Null),
            ("l", Json::from_iter([1.5, 2.0])),
        ]))
        .with_wait("5, 6")
        .with_scope("z");
    let error = SinkError::new(fields, "\u{7f}")
        .with_extra("took", 7)
        .with_extra("more", true);
    assert_eq!(
        error.to_wire(),
        concat!(
            r#"{"code":"budget","message":"\u007f","retryable":false,"details":{"#,
            r#""agent":"\n","tokensUsed":-1,"took":1500,"rate":null,"flags":["a"],"#,
            r#""issues":[{"code":"NO_AGENT","inner":[{"code":"MISMATCH","#,
            r#""path":["a \" \\ \u0001\u2028é"]}]}],"#,
            r#""raw":{"k":null,"l":[1.5,2]},"Retry-After":"5, 6","scope":"z","#,
            r#""class":true,"more":true}}"#
        )
    );
    assert_eq!(
        made(ErrorCode::NodeTimeout).to_wire(),
        r#"{"code":1205,"message":"m","retryable":true}"#
    );
    assert_eq!(
        made(ErrorCode::HTTPConnect).to_wire(),
        r#"{"code":"http.connect","message":"m","retryable":null}"#
    );
}

#[test]
fn e4_a_code_is_read_under_every_name_that_it_has() {
    for (text, code) in [
        ("node_timeout", ErrorCode::NodeTimeout),
        ("timeout_of_node", ErrorCode::NodeTimeout),
        ("POLICY_DENY", ErrorCode::PolicyDenied),
        ("POLICY_DENIED", ErrorCode::PolicyDenied),
        ("08P01", ErrorCode::StorageOdd),
        ("only_ts", ErrorCode::OnlyTs),
        ("OLD", ErrorCode::Old),
    ] {
        assert_eq!(text.parse(), Ok(code));
        assert_eq!(ErrorCode::try_from(text), Ok(code));
        assert_eq!(SinkError::from_parts(text, "m", None).known(), Some(code));
    }
    assert_eq!(ErrorCode::try_from(1205), Ok(ErrorCode::NodeTimeout));
    assert_eq!(AnyCode::from(1205), ErrorCode::NodeTimeout.into());
    assert_eq!(AnyCode::from(1206), AnyCode::Unknown("1206".into()));
    let unknown = "toString".parse::<ErrorCode>().unwrap_err();
    assert_eq!((unknown.text(), ErrorCode::lookup("")), ("toString", None));
}

#[test]
fn codes_of_two_groups_are_one_code() {
    for code in RunErrorKind::ALL {
        assert_eq!(RunErrorKind::try_from(ErrorCode::from(*code)), Ok(*code));
        assert_eq!(code.code().parse(), Ok(*code));
        assert_eq!(*code, ErrorCode::from(*code));
    }
    assert!(RunErrorKind::try_from(ErrorCode::RateLimited).is_err());
    assert!("rate_limited".parse::<RunErrorKind>().is_err());
    assert_eq!(RunErrorKind::NodeTimeout.to_string(), "node_timeout");
    assert_eq!(
        format!("{:>14}|", ErrorCode::NodeTimeout),
        "  node_timeout|"
    );
}

#[test]
fn codes_are_ordered_and_counted_like_the_catalogue() {
    assert!(ErrorCode::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    let distinct: HashSet<_> = ErrorCode::ALL.iter().map(|code| code.code()).collect();
    assert_eq!(distinct.len(), ErrorCode::ALL.len());
    for (at, code) in ErrorCode::ALL.iter().enumerate() {
        assert_eq!(*code as usize, at);
        assert_eq!(code.info().key.parse(), Ok(*code));
    }
}

#[test]
fn words_are_read_and_kept() {
    assert_eq!("unre\"solved".parse(), Ok(PolicyErrorReason::UnreSolved));
    assert_eq!(PolicyErrorReason::UnreSolved.to_string(), "unre\"solved");
    assert_eq!("x".parse::<PolicyErrorReason>().unwrap_err().text(), "x");
    assert_eq!(BudgetErrorScope::from("x"), BudgetErrorScope::X);
    assert_eq!(BudgetErrorScope::from("other").as_str(), "other");
    assert_eq!(PolicyErrorReason::ALL.len(), 3);
}

#[test]
fn the_catalogue_says_more_of_a_code() {
    let info = ErrorCode::Budget.info();
    assert_eq!(info.since, Some("1.10"));
    let passing = info.deprecated.unwrap();
    assert_eq!(
        (passing.since, passing.replacement),
        ("1.2", Some("eval_failed"))
    );
    assert_eq!(passing.sunset, Some("2027-01-31"));
    assert_eq!(
        ErrorCode::OnlyTs.info().absent,
        [("python", "not here"), ("rust", "nor here")]
    );
    assert_eq!(ErrorCode::Old.info().retired.unwrap().reason, "renamed");
    assert_eq!(
        (ErrorCode::Old.retryable(), ErrorCode::Old.info().retryable),
        (Some(false), None)
    );
    let attributes = ErrorCode::HTTPConnect.info().attributes;
    let shown: BTreeMap<_, _> = attributes
        .iter()
        .map(|(k, v)| (*k, v.to_string()))
        .collect();
    assert_eq!(shown["surfaces"], r#"["thrown","result"]"#);
    assert_eq!(
        (shown["kind"].as_str(), shown["exit_code"].as_str()),
        ("\"timeout\"", "2")
    );
}

#[test]
fn r12_a_retry_after_is_seconds_or_a_date() {
    let now = UNIX_EPOCH + Duration::from_secs(784_111_770); // 7 seconds before that date
    for (text, seconds) in [
        ("0", Some(0.0)),
        (" 12 ", Some(12.0)),
        ("1.5", Some(1.5)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7.0)),
        ("Sunday, 06-Nov-94 08:49:37 GMT", Some(7.0)),
        ("Sun Nov  6 08:49:37 1994", Some(7.0)),
        ("Sat, 05 Nov 1994 08:49:37 GMT", Some(0.0)),
        ("Thu, 29 Feb 1996 08:49:30 GMT", Some(41_472_000.0)),
        ("Wed, 29 Feb 1995 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 24:49:37 GMT", None),
        ("Sun, 06 nov 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 08:49:37", None),
        ("", None),
        ("-1", None),
        ("nan", None),
        ("inf", None),
        ("1e3", None),
        ("5, 6", None),
        ("0x10", None),
        ("1_0", None),
        ("٣", None),
        (&"9".repeat(400), None),
    ] {
        let found = RetryAfter::from(text).delay_at(now);
        assert_eq!(found, seconds.map(Duration::from_secs_f64), "{text}");
    }
    let fields = details::Budget::new("a", 1).with_wait(Duration::from_secs(3));
    let error = SinkError::new(fields, "m");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3)));
    let error = made(ErrorCode::RateLimited).with_retry_after("9");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(9)));
    assert!(made(ErrorCode::RateLimited).retry_after().is_none());
    assert!(RetryAfter::Delay(Duration::ZERO)
        .delay_at(SystemTime::now())
        .is_some());
}

#[test]
fn an_error_tells_the_page_of_its_code() {
    let page = made(ErrorCode::NodeTimeout).docs_url();
    assert_eq!(page, Some("https://example.org/errors#node_timeout"));
    let alias = SinkError::from_parts("timeout_of_node", "m", None);
    assert_eq!(alias.docs_url(), page);
    assert_eq!(made(ErrorCode::Auth).docs_url(), None); // internal
    assert_eq!(
        SinkError::from_parts("NOWHERE", "m", None).docs_url(),
        None
    );
}
