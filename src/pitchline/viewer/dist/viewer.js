/* pitchline; three.js (MIT, three.js authors), uPlot (MIT, Leon Sorokin): see LICENSES.txt */
function N(i,t={},...e){let n=document.createElement(i);for(let[s,r]of Object.entries(t))s.startsWith("on")?n.addEventListener(s.slice(2),r):s.includes("-")||s==="for"||s==="role"?n.setAttribute(s,r):n[s]=r;return n.append(...e),n}var ev={play:"M4 2.5v11l9.5-5.5z",pause:"M4 2.5h3v11H4zM9 2.5h3v11H9z",back:"M11.5 3v10L5.5 8zM3.5 3H5v10H3.5z",next:"M4.5 3v10l6-5zM11 3h1.5v10H11z",meshBack:"M8 3v10L2.5 8zM13.5 3v10L8 8z",meshNext:"M8 3v10l5.5-5zM2.5 3v10L8 8z",loop:"M8 2.5a5.5 5.5 0 0 1 4.9 3H11V7h4V3h-1.3v1.4A7 7 0 0 0 1 8h1.5A5.5 5.5 0 0 1 8 2.5M8 13.5a5.5 5.5 0 0 1-4.9-3H5V9H1v4h1.3v-1.4A7 7 0 0 0 15 8h-1.5A5.5 5.5 0 0 1 8 13.5z",close:"M3.6 2.5 8 6.9l4.4-4.4 1.1 1.1L9.1 8l4.4 4.4-1.1 1.1L8 9.1l-4.4 4.4-1.1-1.1L6.9 8 2.5 3.6z",left:"M1.5 2.5h13v11h-13zM6 3.7v8.6h7.3V3.7z",right:"M1.5 2.5h13v11h-13zM2.7 3.7v8.6H10V3.7z",below:"M1.5 2.5h13v11h-13zM2.7 3.7V9h10.6V3.7z",theme:"M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M8 3v10a5 5 0 0 0 0-10z",warning:"M8 1.5 15.2 14H.8zM7.25 6v4h1.5V6zM7.25 11v1.5h1.5V11z",note:"M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13M7.25 7v4.5h1.5V7zM7.25 4.5V6h1.5V4.5z"};function Bo(i){let t="http://www.w3.org/2000/svg",e=document.createElementNS(t,"svg"),n=document.createElementNS(t,"path");for(let[s,r]of Object.entries({viewBox:"0 0 16 16",width:"16",height:"16","aria-hidden":"true",class:"icon"}))e.setAttribute(s,r);return n.setAttribute("d",ev[i]),n.setAttribute("fill-rule","evenodd"),e.append(n),e}function Xn(i,t,e,n={}){return N("button",{type:"button",className:"tool",title:t,"aria-label":t,onclick:e,...n},Bo(i))}var Vu=window.parent!==window,ul=()=>Vu&&!document.hasFocus();var cm=16;function fl(i,t,e){let{style:n}=document.body,s=t==="below",r=()=>document.getElementById(i),o=()=>s?r().offsetHeight:r().offsetWidth,a=()=>Math.max(e,Math.round((s?innerHeight:innerWidth)*.7)),l=N("div",{className:`splitter ${t}`,role:"separator",tabIndex:0,id:`split-${i}`,title:"Drag to resize; double click or Enter to fold","aria-orientation":s?"horizontal":"vertical","aria-controls":i,"aria-label":`Size of the panel ${i}`});function c(u){let f=Math.round(Math.min(Math.max(u,e),a()));n.setProperty(`--${i}`,`${f}px`),l.setAttribute("aria-valuenow",String(f)),l.setAttribute("aria-valuemin",String(e)),l.setAttribute("aria-valuemax",String(a()))}let h=()=>l.dispatchEvent(new CustomEvent("fold",{bubbles:!0,detail:i}));return l.addEventListener("focus",()=>c(o())),l.addEventListener("dblclick",h),l.addEventListener("pointerdown",u=>{l.setPointerCapture(u.pointerId),u.preventDefault()}),l.addEventListener("pointermove",u=>{if(!l.hasPointerCapture(u.pointerId))return;let f=r().getBoundingClientRect();c(t==="left"?u.clientX-f.left:t==="right"?f.right-u.clientX:f.bottom-u.clientY)}),l.addEventListener("keydown",u=>{let f=t==="left"?"ArrowRight":t==="right"?"ArrowLeft":"ArrowUp",d=t==="left"?"ArrowLeft":t==="right"?"ArrowRight":"ArrowDown";if(u.key===f)c(o()+cm);else if(u.key===d)c(o()-cm);else if(u.key==="Home")c(e);else if(u.key==="End")c(a());else if(u.key==="Enter")h();else return;u.preventDefault(),u.stopPropagation()}),l}var Gu={parts:"Parts",side:"Signals",plot:"Plot"};function hm(){let i={header:N("header",{id:"header"}),parts:N("nav",{id:"parts","aria-label":"Parts"}),canvas:N("canvas",{id:"view",tabIndex:0,"aria-label":"3D view"}),tools:N("div",{id:"tools",role:"toolbar","aria-label":"View"}),view:N("main",{id:"stage"}),side:N("aside",{id:"side","aria-label":"Selected part and signals"}),plot:N("section",{id:"plot","aria-label":"Plot"}),footer:N("footer",{id:"footer"})},{body:t}=document;i.view.append(i.canvas,i.tools);let e=Object.entries(Gu).map(([h,u])=>N("button",{type:"button","aria-controls":h,onclick:()=>a.toggle(h)},u)),n=N("div",{id:"drawers",role:"toolbar","aria-label":"Panels"},...e);t.append(i.header,i.parts,fl("parts","left",110),i.view,fl("side","right",180),i.side,fl("plot","below",110),n,i.plot,i.footer);let s=matchMedia("(max-width: 700px)"),r=!1,o=new Set,a={open:h=>!t.classList.contains(`no-${h}`),set(h,u){if(t.classList.toggle(`no-${h}`,!u),u&&s.matches)for(let f of Object.keys(Gu))f!==h&&t.classList.add(`no-${f}`);l()},toggle:h=>a.set(h,!a.open(h)),nothingToPlot(h){h!==r&&a.set("plot",!(r=h))},watch:h=>o.add(h)};function l(){for(let h of e)h.setAttribute("aria-pressed",String(a.open(h.getAttribute("aria-controls"))));for(let h of o)h()}function c(){t.classList.toggle("narrow",s.matches);for(let h of Object.keys(Gu))t.classList.toggle(`no-${h}`,s.matches&&h!=="plot");(innerHeight<480||r)&&t.classList.add("no-plot"),Vu&&innerWidth<950&&t.classList.add("no-parts","no-side"),l()}return t.addEventListener("fold",h=>a.set(h.detail,!1)),s.addEventListener("change",c),c(),{...i,panels:a}}var nv={f8:Float64Array,f4:Float32Array,i1:Int8Array,i2:Int16Array,u2:Uint16Array,u4:Uint32Array},iv="PLVIEW1",Lr=class{constructor(t){if(t.byteLength<12||new TextDecoder().decode(new Uint8Array(t,0,7))!==iv)throw new Error("This is not a view of pitchline.");let e=new DataView(t).getUint32(8,!0);if(12+e>t.byteLength)throw new Error("The view is incomplete. Write the view again.");if(this.head=JSON.parse(new TextDecoder().decode(new Uint8Array(t,12,e))),this.head.format!==1)throw new Error(`This view has format ${this.head.format}; this page reads format 1.`);this.buffer=t,this.start=12+e,this.read=new Map,this.readColumns=new Map,this.time=this.array(this.head.time)}array(t){let e=this.read.get(t);if(e)return e;let n=this.head.arrays[t],s=n?.coding==="columns"?this.columns(t):this.plain(t),r=n.shape.slice(1).reduce((o,a)=>o*a,1);if(n.coding==="columns"&&r>1){let o=n.shape[0],a=new Float32Array(o*r);for(let l=0;l<r;l++)for(let c=0;c<o;c++)a[c*r+l]=s[l*o+c];s=a}return this.read.set(t,s),s}columns(t){let e=this.readColumns.get(t);if(e)return e;let n=this.head.arrays[t];if(n?.coding!=="columns")throw new Error(`The array "${t}" of the view is not one over time.`);let s=this.plain(t),r=new Uint32Array(s.buffer),o=n.shape[0];for(let a=0;a<r.length;a+=o)for(let l=1;l<o;l++)r[a+l]+=r[a+l-1];return this.readColumns.set(t,s),s}plain(t){let e=this.head.arrays[t],n=e&&nv[e.dtype];if(!n)throw new Error(`The view has no array "${t}" that can be read.`);let s=e.shape.reduce((c,h)=>c*h,1),r=n.BYTES_PER_ELEMENT,o=this.start+e.offset;if(!Number.isInteger(s)||s<0||!Number.isInteger(e.offset)||e.offset<0||o+s*r>this.buffer.byteLength)throw new Error(`The array "${t}" of the view is cut off or damaged.`);let a=new Uint8Array(this.buffer,o,s*r),l=new Uint8Array(s*r);for(let c=0;c<r;c++)for(let h=0,u=c*s;h<s;h++,u++)l[h*r+c]=a[u];return new n(l.buffer)}float(t){return this.array(t)}};function Ke(i,t){let e=0,n=i.length-1;if(n<1||t<=i[0])return{i:0,f:0};if(t>=i[n])return{i:n,f:0};for(;n-e>1;){let s=e+n>>1;i[s]<=t?e=s:n=s}return{i:e,f:(t-i[e])/(i[n]-i[e])}}var Hu="pitchline view",dm="This tab does not have the token of the local server. Open the complete address that pitchline view printed in the terminal, including the part after the #.",um="The local server has ended. What is shown here stays; to go on, run pitchline view again.",Dr=class extends Error{constructor(t,e){super(typeof e?.error=="string"?e.error:`The local server answered with status ${t}.`),this.status=t,this.data=e}},zo=class{live=!0;routes=new Set;constructor(t){this.token=t,this.waiting=new Map}async records(){return this.get("/api/records")}async block(t){return new Lr(await(await this.ask(`/api/scene?record=${t}`)).arrayBuffer())}async series(t,e,n,s,r){if(!e.length)return{time:new Float64Array(0),low:[],high:[]};let o=new URLSearchParams({record:String(t),px:String(r)});for(let c of e)o.append("name",c);let a=o.toString();Number.isFinite(n)&&o.set("from",String(n)),Number.isFinite(s)&&o.set("to",String(s)),this.waiting.get(a)?.abort();let l=new AbortController;this.waiting.set(a,l);try{let c=await this.ask(`/api/series?${o}`,{signal:l.signal});return sv(c.headers.get("X-Shape")??"",await c.arrayBuffer())}finally{this.waiting.get(a)===l&&this.waiting.delete(a)}}async get(t){return(await this.ask(t)).json()}async post(t,e){return(await this.ask(t,{method:"POST",body:JSON.stringify(e),headers:{"Content-Type":"application/json"}})).json()}async*events(t,e){let n=await this.ask(t,{signal:e});if(!n.body)return;let s=n.body.pipeThrough(new TextDecoderStream).getReader(),r="";try{for(;;){let{done:o,value:a}=await s.read();if(o)return;let l=(r+a).split(`

`);r=l.pop()??"";for(let c of l)c.startsWith("data: ")&&(yield JSON.parse(c.slice(6)))}}finally{s.cancel().catch(()=>{})}}async ask(t,e={}){let n={...e.headers,Authorization:`Bearer ${this.token}`},s;try{s=await fetch(t,{...e,headers:n,cache:"no-store",credentials:"omit",redirect:"error"})}catch(r){throw r instanceof DOMException&&r.name==="AbortError"?r:(fm(um),new Error(um,{cause:r}))}if(fm(""),s.ok)return s;throw s.status===401?(mm(""),new Dr(401,{error:dm})):new Dr(s.status,await s.json().catch(()=>null))}};function sv(i,t){let[e,n,s]=i.split(",").map(Number);if(!(e>=0&&(n===1||n===2)&&s>=0)||t.byteLength!==8*s*(1+e*n))throw new Error("The answer of the local server is incomplete. Reload the page.");let r=a=>new Float64Array(t,8*s*a,s),o=Array.from({length:e},(a,l)=>r(1+l*n));return{time:r(0),low:o,high:n===1?o:o.map((a,l)=>r(2+l*n))}}async function pm(){addEventListener("hashchange",()=>{location.hash.length>1&&location.reload()});let i=rv();if(!i)throw new Error(dm);let t=new zo(i);return t.routes=new Set(await t.get("/api/routes")),t}function rv(){let i=location.hash.slice(1);return i?(mm(i),history.replaceState(null,"",location.pathname),i):ov()}function mm(i){try{i?sessionStorage.setItem(Hu,i):sessionStorage.removeItem(Hu)}catch{}}function ov(){try{return sessionStorage.getItem(Hu)??""}catch{return""}}function fm(i){let t=document.getElementById("server-gone");t&&!i&&t.remove(),!t&&i&&document.body.prepend(N("p",{id:"server-gone",role:"alert"},i))}var gm=new WeakMap;function ze(i){let t=gm.get(i);if(t)return t;let e=new Map;for(let n of i.head.signals){let s=n.name.lastIndexOf("."),r=s>0?n.name.slice(0,s):"",o=s>0?n.name.slice(s+1):n.name;(n.components.length?n.components.map(l=>`.${l}`):[""]).forEach((l,c)=>{let h=n.name+l;e.has(h)||e.set(h,{name:h,part:r,own:o+l,signal:n,component:c,unit:n.unit})})}return gm.set(i,e),e}var Wu=class{live=!1;constructor(t){this.blocks=t}async records(){return this.blocks.map(({head:t})=>({name:t.name,kind:t.kind}))}async block(t){return this.blocks[t]}async series(t,e){let n=this.blocks[t],s=n.array(n.head.signal_time),r=e.map(o=>Vo(n,o));return{time:s,low:r.map(o=>o.low),high:r.map(o=>o.high)}}};function Vo(i,t){let{head:e}=i,n=ze(i).get(t);if(n?.signal.values===void 0)throw new Error(n?`The page does not contain the values of "${t}".`:`There is no signal "${t}".`);let s=e.arrays[e.signal_time].shape[0],r=n.component,o=i.columns(n.signal.values);if(!e.reduced){let a=o.subarray(r*s,(r+1)*s);return{low:a,high:a}}return{low:o.subarray(2*r*s,(2*r+1)*s),high:o.subarray((2*r+1)*s,(2*r+2)*s)}}async function xm(){if(document.documentElement.dataset.served==="yes")return pm();let i=[...document.querySelectorAll("script.record")];return new Wu(await Promise.all(i.map(t=>av(t.textContent??""))))}async function av(i){let t=new Blob([lv(i)]).stream().pipeThrough(new DecompressionStream("gzip"));return new Lr(await new Response(t).arrayBuffer())}function lv(i){let t=Uint8Array.fromBase64;return t?t.call(Uint8Array,i):Uint8Array.from(atob(i),e=>e.charCodeAt(0))}var dl=class{constructor(t){this.state=t,this.listeners=[]}set(t){let e=Object.keys(t).filter(n=>!Object.is(t[n],this.state[n]));if(e.length){Object.assign(this.state,t);for(let{keys:n,call:s}of[...this.listeners])e.some(r=>n.has(r))&&s(this.state)}}on(t,e){let n={keys:new Set(t),call:e};return this.listeners.push(n),()=>{this.listeners=this.listeners.filter(s=>s!==n)}}};var $m=0,Mf=1,Ym=2;var _a=1,Zm=2,so=3,Ki=0,Dn=1,ti=2,_s=0,ro=1,bf=2,wf=3,Sf=4,va=5;var vs=100,Jm=101,Km=102,jm=103,Qm=104,tg=200,Ma=201,eg=202,ng=203,Af=204,Tf=205,ig=206,sg=207,rg=208,og=209,ag=210,lg=211,cg=212,hg=213,ug=214,Gl=0,Hl=1,Wl=2,Kr=3,Xl=4,ql=5,$l=6,Yl=7,Ef=0,fg=1,dg=2,ji=0,Cf=1,Rf=2,Pf=3,If=4,Nf=5,Lf=6,Df=7;var Ff=300,lr=301,oo=302,vc=303,Mc=304,Zl=1e3,Yi=1001,Jl=1002,mn=1003,pg=1004;var ba=1005;var $n=1006,bc=1007;var Ms=1008;var di=1009,Uf=1010,Of=1011,ao=1012,wc=1013,Fi=1014,wi=1015,pi=1016,Sc=1017,Ac=1018,cr=1020,kf=35902,Bf=35899,zf=1021,Vf=1022,Ui=1023,ms=1026,bs=1027,Tc=1028,Ec=1029,Xs=1030,Cc=1031;var Rc=1033,wa=33776,Sa=33777,Aa=33778,Ta=33779,Pc=35840,Ic=35841,Nc=35842,Lc=35843,Dc=36196,Fc=37492,Uc=37496,Oc=37488,kc=37489,Ea=37490,Bc=37491,zc=37808,Vc=37809,Gc=37810,Hc=37811,Wc=37812,Xc=37813,qc=37814,$c=37815,Yc=37816,Zc=37817,Jc=37818,Kc=37819,jc=37820,Qc=37821,th=36492,eh=36494,nh=36495,ih=36283,sh=36284,Ca=36285,rh=36286;var Jo=2300,Kl=2301,zl=2302,pf=2303,mf=2400,gf=2401,xf=2402;var mg=3200;var Gf=0,gg=1,ws="",li="srgb",Ko="srgb-linear",jo="linear",Ne="srgb";var Zr=7680,oh=7681;var Hf=514;var Ra=519,xg=512,yg=513,_g=514,Wf=515,vg=516,Mg=517,Xf=518,qf=519,bg=35044,Pa=35048;var $f="300 es",bi=2e3,Qo=2001;function cv(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function hv(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function ta(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function wg(){let i=ta("canvas");return i.style.display="block",i}var ym={},jr=null;function Yf(...i){let t="THREE."+i.shift();jr?jr("log",t,...i):console.log(t,...i)}function Sg(i){let t=i[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=i[1];e&&e.isStackTrace?i[0]+=" "+e.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Yt(...i){i=Sg(i);let t="THREE."+i.shift();if(jr)jr("warn",t,...i);else{let e=i[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...i)}}function ee(...i){i=Sg(i);let t="THREE."+i.shift();if(jr)jr("error",t,...i);else{let e=i[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...i)}}function Zo(...i){let t=i.join(" ");t in ym||(ym[t]=!0,Yt(...i))}function Ag(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}var Tg={[Gl]:Gl,[Wl]:$l,[Xl]:Xl,[Kr]:ql,[Hl]:Hl,[$l]:Wl,[Yl]:Yl,[ql]:Kr},Zi=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){let n=this._listeners;return n===void 0?!1:n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){let n=this._listeners;if(n===void 0)return;let s=n[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let n=e[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},On=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"];var Vl=Math.PI/180,jl=180/Math.PI;function Ia(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(On[i&255]+On[i>>8&255]+On[i>>16&255]+On[i>>24&255]+"-"+On[t&255]+On[t>>8&255]+"-"+On[t>>16&15|64]+On[t>>24&255]+"-"+On[e&63|128]+On[e>>8&255]+"-"+On[e>>16&255]+On[e>>24&255]+On[n&255]+On[n>>8&255]+On[n>>16&255]+On[n>>24&255]).toLowerCase()}function Me(i,t,e){return Math.max(t,Math.min(e,i))}function uv(i,t){return(i%t+t)%t}function Xu(i,t,e){return(1-e)*i+e*t}function Eg(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function Zf(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function fv(i,t){if(t.constructor===Float32Array)return i;let e=Zf(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/e,-1)}function dv(i,t){if(t.constructor===Float32Array)return i;let e=Zf(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*e)}var ce=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=Me(this.x,t.x,e.x),this.y=Me(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=Me(this.x,t,e),this.y=Me(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Me(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(Me(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},fe=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],f=r[o+0],d=r[o+1],p=r[o+2],v=r[o+3];if(u!==v||l!==f||c!==d||h!==p){let g=l*f+c*d+h*p+u*v;g<0&&(f=-f,d=-d,p=-p,v=-v,g=-g);let m=1-a;if(g<.9995){let _=Math.acos(g),b=Math.sin(_);m=Math.sin(m*_)/b,a=Math.sin(a*_)/b,l=l*m+f*a,c=c*m+d*a,h=h*m+p*a,u=u*m+v*a}else{l=l*m+f*a,c=c*m+d*a,h=h*m+p*a,u=u*m+v*a;let _=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=_,c*=_,h*=_,u*=_}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],f=r[o+1],d=r[o+2],p=r[o+3];return t[e]=a*p+h*u+l*d-c*f,t[e+1]=l*p+h*f+c*u-a*d,t[e+2]=c*p+h*d+a*f-l*u,t[e+3]=h*p-a*u-l*f-c*d,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),f=l(n/2),d=l(s/2),p=l(r/2);switch(o){case"XYZ":this._x=f*h*u+c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u-f*d*p;break;case"YXZ":this._x=f*h*u+c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u+f*d*p;break;case"ZXY":this._x=f*h*u-c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u-f*d*p;break;case"ZYX":this._x=f*h*u-c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u+f*d*p;break;case"YZX":this._x=f*h*u+c*d*p,this._y=c*d*u+f*h*p,this._z=c*h*p-f*d*u,this._w=c*h*u-f*d*p;break;case"XZY":this._x=f*h*u-c*d*p,this._y=c*d*u-f*h*p,this._z=c*h*p+f*d*u,this._w=c*h*u+f*d*p;break;default:Yt("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],f=n+a+u;if(f>0){let d=.5/Math.sqrt(f+1);this._w=.25/d,this._x=(h-l)*d,this._y=(r-c)*d,this._z=(o-s)*d}else if(n>a&&n>u){let d=2*Math.sqrt(1+n-a-u);this._w=(h-l)/d,this._x=.25*d,this._y=(s+o)/d,this._z=(r+c)/d}else if(a>u){let d=2*Math.sqrt(1+a-n-u);this._w=(r-c)/d,this._x=(s+o)/d,this._y=.25*d,this._z=(l+h)/d}else{let d=2*Math.sqrt(1+u-n-a);this._w=(o-s)/d,this._x=(r+c)/d,this._y=(l+h)/d,this._z=.25*d}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<1e-8?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(Me(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+n*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},D=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,n=0){this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(_m.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(_m.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),u=2*(r*n-o*e);return this.x=e+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=Me(this.x,t.x,e.x),this.y=Me(this.y,t.y,e.y),this.z=Me(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=Me(this.x,t,e),this.y=Me(this.y,t,e),this.z=Me(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Me(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return qu.copy(this).projectOnVector(t),this.sub(qu)}reflect(t){return this.sub(qu.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(Me(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},qu=new D,_m=new fe,Zt=class{static{this.prototype.isMatrix3=!0}constructor(t,e,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],f=n[2],d=n[5],p=n[8],v=s[0],g=s[3],m=s[6],_=s[1],b=s[4],x=s[7],S=s[2],M=s[5],y=s[8];return r[0]=o*v+a*_+l*S,r[3]=o*g+a*b+l*M,r[6]=o*m+a*x+l*y,r[1]=c*v+h*_+u*S,r[4]=c*g+h*b+u*M,r[7]=c*m+h*x+u*y,r[2]=f*v+d*_+p*S,r[5]=f*g+d*b+p*M,r[8]=f*m+d*x+p*y,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,f=a*l-h*r,d=c*r-o*l,p=e*u+n*f+s*d;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let v=1/p;return t[0]=u*v,t[1]=(s*c-h*n)*v,t[2]=(a*n-s*o)*v,t[3]=f*v,t[4]=(h*e-s*l)*v,t[5]=(s*r-a*e)*v,t[6]=d*v,t[7]=(n*l-c*e)*v,t[8]=(o*e-n*r)*v,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return Zo("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply($u.makeScale(t,e)),this}rotate(t){return Zo("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply($u.makeRotation(-t)),this}translate(t,e){return Zo("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply($u.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},$u=new Zt,vm=new Zt().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Mm=new Zt().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function pv(){let i={enabled:!0,workingColorSpace:Ko,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Ne&&(s.r=ps(s.r),s.g=ps(s.g),s.b=ps(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Ne&&(s.r=Jr(s.r),s.g=Jr(s.g),s.b=Jr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===ws?jo:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Ko]:{primaries:t,whitePoint:n,transfer:jo,toXYZ:vm,fromXYZ:Mm,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:li},outputColorSpaceConfig:{drawingBufferColorSpace:li}},[li]:{primaries:t,whitePoint:n,transfer:Ne,toXYZ:vm,fromXYZ:Mm,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:li}}}),i}var ve=pv();function ps(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Jr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Fr,Ql=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let n;if(t instanceof HTMLCanvasElement)n=t;else{Fr===void 0&&(Fr=ta("canvas")),Fr.width=t.width,Fr.height=t.height;let s=Fr.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),n=Fr}return n.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=ta("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=ps(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(ps(e[n]/255)*255):e[n]=ps(e[n]);return{data:e,width:t.width,height:t.height}}else return Yt("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},mv=0,or=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:mv++}),this.uuid=Ia(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Yu(s[o].image)):r.push(Yu(s[o]))}else r=Yu(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function Yu(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Ql.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Yt("Texture: Unable to serialize Texture."),{})}var gv=0,Zu=new D,Yn=class i extends Zi{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=Yi,s=Yi,r=$n,o=Ms,a=Ui,l=di,c=i.DEFAULT_ANISOTROPY,h=ws){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:gv++}),this.uuid=Ia(),this.name="",this.source=new or(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new ce(0,0),this.repeat=new ce(1,1),this.center=new ce(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Zt,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Zu).x}get height(){return this.source.getSize(Zu).y}get depth(){return this.source.getSize(Zu).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let n=t[e];if(n===void 0){Yt(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Yt(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Ff)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case Zl:t.x=t.x-Math.floor(t.x);break;case Yi:t.x=t.x<0?0:1;break;case Jl:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case Zl:t.y=t.y-Math.floor(t.y);break;case Yi:t.y=t.y<0?0:1;break;case Jl:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};Yn.DEFAULT_IMAGE=null;Yn.DEFAULT_MAPPING=Ff;Yn.DEFAULT_ANISOTROPY=1;var Ce=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,n=0,s=1){this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],u=l[8],f=l[1],d=l[5],p=l[9],v=l[2],g=l[6],m=l[10];if(Math.abs(h-f)<.01&&Math.abs(u-v)<.01&&Math.abs(p-g)<.01){if(Math.abs(h+f)<.1&&Math.abs(u+v)<.1&&Math.abs(p+g)<.1&&Math.abs(c+d+m-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let b=(c+1)/2,x=(d+1)/2,S=(m+1)/2,M=(h+f)/4,y=(u+v)/4,w=(p+g)/4;return b>x&&b>S?b<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(b),s=M/n,r=y/n):x>S?x<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(x),n=M/s,r=w/s):S<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(S),n=y/r,s=w/r),this.set(n,s,r,e),this}let _=Math.sqrt((g-p)*(g-p)+(u-v)*(u-v)+(f-h)*(f-h));return Math.abs(_)<.001&&(_=1),this.x=(g-p)/_,this.y=(u-v)/_,this.z=(f-h)/_,this.w=Math.acos((c+d+m-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=Me(this.x,t.x,e.x),this.y=Me(this.y,t.y,e.y),this.z=Me(this.z,t.z,e.z),this.w=Me(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=Me(this.x,t,e),this.y=Me(this.y,t,e),this.z=Me(this.z,t,e),this.w=Me(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Me(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},tc=class extends Zi{constructor(t=1,e=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:$n,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=n.depth,this.scissor=new Ce(0,0,t,e),this.scissorTest=!1,this.viewport=new Ce(0,0,t,e),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Yn({width:t,height:e,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:$n,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,n=t.textures.length;e<n;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new or(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},Zn=class extends tc{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},ea=class extends Yn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=mn,this.minFilter=mn,this.wrapR=Yi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var ec=class extends Yn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=mn,this.minFilter=mn,this.wrapR=Yi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var Xt=class i{static{this.prototype.isMatrix4=!0}constructor(t,e,n,s,r,o,a,l,c,h,u,f,d,p,v,g){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,u,f,d,p,v,g)}set(t,e,n,s,r,o,a,l,c,h,u,f,d,p,v,g){let m=this.elements;return m[0]=t,m[4]=e,m[8]=n,m[12]=s,m[1]=r,m[5]=o,m[9]=a,m[13]=l,m[2]=c,m[6]=h,m[10]=u,m[14]=f,m[3]=d,m[7]=p,m[11]=v,m[15]=g,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),n.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,n=t.elements,s=1/Ur.setFromMatrixColumn(t,0).length(),r=1/Ur.setFromMatrixColumn(t,1).length(),o=1/Ur.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let f=o*h,d=o*u,p=a*h,v=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=d+p*c,e[5]=f-v*c,e[9]=-a*l,e[2]=v-f*c,e[6]=p+d*c,e[10]=o*l}else if(t.order==="YXZ"){let f=l*h,d=l*u,p=c*h,v=c*u;e[0]=f+v*a,e[4]=p*a-d,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=d*a-p,e[6]=v+f*a,e[10]=o*l}else if(t.order==="ZXY"){let f=l*h,d=l*u,p=c*h,v=c*u;e[0]=f-v*a,e[4]=-o*u,e[8]=p+d*a,e[1]=d+p*a,e[5]=o*h,e[9]=v-f*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let f=o*h,d=o*u,p=a*h,v=a*u;e[0]=l*h,e[4]=p*c-d,e[8]=f*c+v,e[1]=l*u,e[5]=v*c+f,e[9]=d*c-p,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let f=o*l,d=o*c,p=a*l,v=a*c;e[0]=l*h,e[4]=v-f*u,e[8]=p*u+d,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=d*u+p,e[10]=f-v*u}else if(t.order==="XZY"){let f=o*l,d=o*c,p=a*l,v=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=f*u+v,e[5]=o*h,e[9]=d*u-p,e[2]=p*u-d,e[6]=a*h,e[10]=v*u+f}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(xv,t,yv)}lookAt(t,e,n){let s=this.elements;return oi.subVectors(t,e),oi.lengthSq()===0&&(oi.z=1),oi.normalize(),Ls.crossVectors(n,oi),Ls.lengthSq()===0&&(Math.abs(n.z)===1?oi.x+=1e-4:oi.z+=1e-4,oi.normalize(),Ls.crossVectors(n,oi)),Ls.normalize(),pl.crossVectors(oi,Ls),s[0]=Ls.x,s[4]=pl.x,s[8]=oi.x,s[1]=Ls.y,s[5]=pl.y,s[9]=oi.y,s[2]=Ls.z,s[6]=pl.z,s[10]=oi.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],f=n[9],d=n[13],p=n[2],v=n[6],g=n[10],m=n[14],_=n[3],b=n[7],x=n[11],S=n[15],M=s[0],y=s[4],w=s[8],I=s[12],C=s[1],L=s[5],k=s[9],F=s[13],E=s[2],z=s[6],X=s[10],V=s[14],rt=s[3],Y=s[7],K=s[11],et=s[15];return r[0]=o*M+a*C+l*E+c*rt,r[4]=o*y+a*L+l*z+c*Y,r[8]=o*w+a*k+l*X+c*K,r[12]=o*I+a*F+l*V+c*et,r[1]=h*M+u*C+f*E+d*rt,r[5]=h*y+u*L+f*z+d*Y,r[9]=h*w+u*k+f*X+d*K,r[13]=h*I+u*F+f*V+d*et,r[2]=p*M+v*C+g*E+m*rt,r[6]=p*y+v*L+g*z+m*Y,r[10]=p*w+v*k+g*X+m*K,r[14]=p*I+v*F+g*V+m*et,r[3]=_*M+b*C+x*E+S*rt,r[7]=_*y+b*L+x*z+S*Y,r[11]=_*w+b*k+x*X+S*K,r[15]=_*I+b*F+x*V+S*et,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],f=t[10],d=t[14],p=t[3],v=t[7],g=t[11],m=t[15],_=l*d-c*f,b=a*d-c*u,x=a*f-l*u,S=o*d-c*h,M=o*f-l*h,y=o*u-a*h;return e*(v*_-g*b+m*x)-n*(p*_-g*S+m*M)+s*(p*b-v*S+m*y)-r*(p*x-v*M+g*y)}determinantAffine(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],f=t[10],d=t[11],p=t[12],v=t[13],g=t[14],m=t[15],_=e*a-n*o,b=e*l-s*o,x=e*c-r*o,S=n*l-s*a,M=n*c-r*a,y=s*c-r*l,w=h*v-u*p,I=h*g-f*p,C=h*m-d*p,L=u*g-f*v,k=u*m-d*v,F=f*m-d*g,E=_*F-b*k+x*L+S*C-M*I+y*w;if(E===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let z=1/E;return t[0]=(a*F-l*k+c*L)*z,t[1]=(s*k-n*F-r*L)*z,t[2]=(v*y-g*M+m*S)*z,t[3]=(f*M-u*y-d*S)*z,t[4]=(l*C-o*F-c*I)*z,t[5]=(e*F-s*C+r*I)*z,t[6]=(g*x-p*y-m*b)*z,t[7]=(h*y-f*x+d*b)*z,t[8]=(o*k-a*C+c*w)*z,t[9]=(n*C-e*k-r*w)*z,t[10]=(p*M-v*x+m*_)*z,t[11]=(u*x-h*M-d*_)*z,t[12]=(a*I-o*L-l*w)*z,t[13]=(e*L-n*I+s*w)*z,t[14]=(v*b-p*S-g*_)*z,t[15]=(h*S-u*b+f*_)*z,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,f=r*c,d=r*h,p=r*u,v=o*h,g=o*u,m=a*u,_=l*c,b=l*h,x=l*u,S=n.x,M=n.y,y=n.z;return s[0]=(1-(v+m))*S,s[1]=(d+x)*S,s[2]=(p-b)*S,s[3]=0,s[4]=(d-x)*M,s[5]=(1-(f+m))*M,s[6]=(g+_)*M,s[7]=0,s[8]=(p+b)*y,s[9]=(g-_)*y,s[10]=(1-(f+v))*y,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),e.identity(),this;let o=Ur.set(s[0],s[1],s[2]).length(),a=Ur.set(s[4],s[5],s[6]).length(),l=Ur.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Pi.copy(this);let c=1/o,h=1/a,u=1/l;return Pi.elements[0]*=c,Pi.elements[1]*=c,Pi.elements[2]*=c,Pi.elements[4]*=h,Pi.elements[5]*=h,Pi.elements[6]*=h,Pi.elements[8]*=u,Pi.elements[9]*=u,Pi.elements[10]*=u,e.setFromRotationMatrix(Pi),n.x=o,n.y=a,n.z=l,this}makePerspective(t,e,n,s,r,o,a=bi,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(n-s),f=(e+t)/(e-t),d=(n+s)/(n-s),p,v;if(l)p=r/(o-r),v=o*r/(o-r);else if(a===bi)p=-(o+r)/(o-r),v=-2*o*r/(o-r);else if(a===Qo)p=-o/(o-r),v=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=f,c[12]=0,c[1]=0,c[5]=u,c[9]=d,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=v,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=bi,l=!1){let c=this.elements,h=2/(e-t),u=2/(n-s),f=-(e+t)/(e-t),d=-(n+s)/(n-s),p,v;if(l)p=1/(o-r),v=o/(o-r);else if(a===bi)p=-2/(o-r),v=-(o+r)/(o-r);else if(a===Qo)p=-1/(o-r),v=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=f,c[1]=0,c[5]=u,c[9]=0,c[13]=d,c[2]=0,c[6]=0,c[10]=p,c[14]=v,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},Ur=new D,Pi=new Xt,xv=new D(0,0,0),yv=new D(1,1,1),Ls=new D,pl=new D,oi=new D,bm=new Xt,wm=new fe,ks=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],f=s[6],d=s[10];switch(e){case"XYZ":this._y=Math.asin(Me(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,d),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(f,c),this._z=0);break;case"YXZ":this._x=Math.asin(-Me(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,d),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(Me(f,-1,1)),Math.abs(f)<.9999999?(this._y=Math.atan2(-u,d),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-Me(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(f,d),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(Me(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,d));break;case"XZY":this._z=Math.asin(-Me(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(f,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,d),this._y=0);break;default:Yt("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return bm.makeRotationFromQuaternion(t),this.setFromRotationMatrix(bm,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return wm.setFromEuler(this),this.setFromQuaternion(wm,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};ks.DEFAULT_ORDER="XYZ";var Qr=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},_v=0,Sm=new D,Or=new fe,ls=new Xt,ml=new D,Go=new D,vv=new D,Mv=new fe,Am=new D(1,0,0),Tm=new D(0,1,0),Em=new D(0,0,1),Cm={type:"added"},bv={type:"removed"},kr={type:"childadded",child:null},Ju={type:"childremoved",child:null},ci=class i extends Zi{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:_v++}),this.uuid=Ia(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new D,e=new ks,n=new fe,s=new D(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Xt},normalMatrix:{value:new Zt}}),this.matrix=new Xt,this.matrixWorld=new Xt,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Qr,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return Or.setFromAxisAngle(t,e),this.quaternion.multiply(Or),this}rotateOnWorldAxis(t,e){return Or.setFromAxisAngle(t,e),this.quaternion.premultiply(Or),this}rotateX(t){return this.rotateOnAxis(Am,t)}rotateY(t){return this.rotateOnAxis(Tm,t)}rotateZ(t){return this.rotateOnAxis(Em,t)}translateOnAxis(t,e){return Sm.copy(t).applyQuaternion(this.quaternion),this.position.add(Sm.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(Am,t)}translateY(t){return this.translateOnAxis(Tm,t)}translateZ(t){return this.translateOnAxis(Em,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ls.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?ml.copy(t):ml.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Go.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ls.lookAt(Go,ml,this.up):ls.lookAt(ml,Go,this.up),this.quaternion.setFromRotationMatrix(ls),s&&(ls.extractRotation(s.matrixWorld),Or.setFromRotationMatrix(ls),this.quaternion.premultiply(Or.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(ee("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Cm),kr.child=t,this.dispatchEvent(kr),kr.child=null):ee("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(bv),Ju.child=t,this.dispatchEvent(Ju),Ju.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ls.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ls.multiply(t.parent.matrixWorld)),t.applyMatrix4(ls),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Cm),kr.child=t,this.dispatchEvent(kr),kr.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Go,t,vv),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Go,Mv,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,n=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*n-r[8]*s,r[13]+=n-r[1]*e-r[5]*n-r[9]*s,r[14]+=s-r[2]*e-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e,n=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),f=o(t.skeletons),d=o(t.animations),p=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),f.length>0&&(n.skeletons=f),d.length>0&&(n.animations=d),p.length>0&&(n.nodes=p)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};ci.DEFAULT_UP=new D(0,1,0);ci.DEFAULT_MATRIX_AUTO_UPDATE=!0;ci.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Ie=class extends ci{constructor(){super(),this.isGroup=!0,this.type="Group"}},wv={type:"move"},to=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Ie,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Ie,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new D,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new D),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Ie,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new D,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new D,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let v of t.hand.values()){let g=e.getJointPose(v,n),m=this._getHandJoint(c,v);g!==null&&(m.matrix.fromArray(g.transform.matrix),m.matrix.decompose(m.position,m.quaternion,m.scale),m.matrixWorldNeedsUpdate=!0,m.jointRadius=g.radius),m.visible=g!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],f=h.position.distanceTo(u.position),d=.02,p=.005;c.inputState.pinching&&f>d+p?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&f<=d-p&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(wv)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new Ie;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},Cg={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Ds={h:0,s:0,l:0},gl={h:0,s:0,l:0};function Ku(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var Jt=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=li){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,ve.colorSpaceToWorking(this,e),this}setRGB(t,e,n,s=ve.workingColorSpace){return this.r=t,this.g=e,this.b=n,ve.colorSpaceToWorking(this,s),this}setHSL(t,e,n,s=ve.workingColorSpace){if(t=uv(t,1),e=Me(e,0,1),n=Me(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=Ku(o,r,t+1/3),this.g=Ku(o,r,t),this.b=Ku(o,r,t-1/3)}return ve.colorSpaceToWorking(this,s),this}setStyle(t,e=li){function n(r){r!==void 0&&parseFloat(r)<1&&Yt("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Yt("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Yt("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=li){let n=Cg[t.toLowerCase()];return n!==void 0?this.setHex(n,e):Yt("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=ps(t.r),this.g=ps(t.g),this.b=ps(t.b),this}copyLinearToSRGB(t){return this.r=Jr(t.r),this.g=Jr(t.g),this.b=Jr(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=li){return ve.workingToColorSpace(kn.copy(this),t),Math.round(Me(kn.r*255,0,255))*65536+Math.round(Me(kn.g*255,0,255))*256+Math.round(Me(kn.b*255,0,255))}getHexString(t=li){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=ve.workingColorSpace){ve.workingToColorSpace(kn.copy(this),e);let n=kn.r,s=kn.g,r=kn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=ve.workingColorSpace){return ve.workingToColorSpace(kn.copy(this),e),t.r=kn.r,t.g=kn.g,t.b=kn.b,t}getStyle(t=li){ve.workingToColorSpace(kn.copy(this),t);let e=kn.r,n=kn.g,s=kn.b;return t!==li?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(Ds),this.setHSL(Ds.h+t,Ds.s+e,Ds.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(Ds),t.getHSL(gl);let n=Xu(Ds.h,gl.h,e),s=Xu(Ds.s,gl.s,e),r=Xu(Ds.l,gl.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},kn=new Jt;Jt.NAMES=Cg;var na=class extends ci{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new ks,this.environmentIntensity=1,this.environmentRotation=new ks,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Ii=new D,cs=new D,ju=new D,hs=new D,Br=new D,zr=new D,Rm=new D,Qu=new D,tf=new D,ef=new D,nf=new Ce,sf=new Ce,rf=new Ce,ds=class i{constructor(t=new D,e=new D,n=new D){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Ii.subVectors(t,e),s.cross(Ii);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Ii.subVectors(s,e),cs.subVectors(n,e),ju.subVectors(t,e);let o=Ii.dot(Ii),a=Ii.dot(cs),l=Ii.dot(ju),c=cs.dot(cs),h=cs.dot(ju),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let f=1/u,d=(c*l-a*h)*f,p=(o*h-a*l)*f;return r.set(1-d-p,p,d)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,hs)===null?!1:hs.x>=0&&hs.y>=0&&hs.x+hs.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,hs)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,hs.x),l.addScaledVector(o,hs.y),l.addScaledVector(a,hs.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return nf.setScalar(0),sf.setScalar(0),rf.setScalar(0),nf.fromBufferAttribute(t,e),sf.fromBufferAttribute(t,n),rf.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(nf,r.x),o.addScaledVector(sf,r.y),o.addScaledVector(rf,r.z),o}static isFrontFacing(t,e,n,s){return Ii.subVectors(n,e),cs.subVectors(t,e),Ii.cross(cs).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Ii.subVectors(this.c,this.b),cs.subVectors(this.a,this.b),Ii.cross(cs).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;Br.subVectors(s,n),zr.subVectors(r,n),Qu.subVectors(t,n);let l=Br.dot(Qu),c=zr.dot(Qu);if(l<=0&&c<=0)return e.copy(n);tf.subVectors(t,s);let h=Br.dot(tf),u=zr.dot(tf);if(h>=0&&u<=h)return e.copy(s);let f=l*u-h*c;if(f<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(n).addScaledVector(Br,o);ef.subVectors(t,r);let d=Br.dot(ef),p=zr.dot(ef);if(p>=0&&d<=p)return e.copy(r);let v=d*c-l*p;if(v<=0&&c>=0&&p<=0)return a=c/(c-p),e.copy(n).addScaledVector(zr,a);let g=h*p-d*u;if(g<=0&&u-h>=0&&d-p>=0)return Rm.subVectors(r,s),a=(u-h)/(u-h+(d-p)),e.copy(s).addScaledVector(Rm,a);let m=1/(g+v+f);return o=v*m,a=f*m,e.copy(n).addScaledVector(Br,o).addScaledVector(zr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},jn=class{constructor(t=new D(1/0,1/0,1/0),e=new D(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(Ni.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(Ni.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=Ni.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,Ni):Ni.fromBufferAttribute(r,o),Ni.applyMatrix4(t.matrixWorld),this.expandByPoint(Ni);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),xl.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),xl.copy(n.boundingBox)),xl.applyMatrix4(t.matrixWorld),this.union(xl)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,Ni),Ni.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Ho),yl.subVectors(this.max,Ho),Vr.subVectors(t.a,Ho),Gr.subVectors(t.b,Ho),Hr.subVectors(t.c,Ho),Fs.subVectors(Gr,Vr),Us.subVectors(Hr,Gr),nr.subVectors(Vr,Hr);let e=[0,-Fs.z,Fs.y,0,-Us.z,Us.y,0,-nr.z,nr.y,Fs.z,0,-Fs.x,Us.z,0,-Us.x,nr.z,0,-nr.x,-Fs.y,Fs.x,0,-Us.y,Us.x,0,-nr.y,nr.x,0];return!of(e,Vr,Gr,Hr,yl)||(e=[1,0,0,0,1,0,0,0,1],!of(e,Vr,Gr,Hr,yl))?!1:(_l.crossVectors(Fs,Us),e=[_l.x,_l.y,_l.z],of(e,Vr,Gr,Hr,yl))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,Ni).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(Ni).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(us[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),us[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),us[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),us[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),us[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),us[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),us[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),us[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(us),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},us=[new D,new D,new D,new D,new D,new D,new D,new D],Ni=new D,xl=new jn,Vr=new D,Gr=new D,Hr=new D,Fs=new D,Us=new D,nr=new D,Ho=new D,yl=new D,_l=new D,ir=new D;function of(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){ir.fromArray(i,r);let a=s.x*Math.abs(ir.x)+s.y*Math.abs(ir.y)+s.z*Math.abs(ir.z),l=t.dot(ir),c=e.dot(ir),h=n.dot(ir);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var pn=new D,vl=new ce,Sv=0,ne=class extends Zi{constructor(t,e,n=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Sv++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=bg,this.updateRanges=[],this.gpuType=wi,this.version=0,this._normalizationScale=t!==void 0?Zf(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)vl.fromBufferAttribute(this,e),vl.applyMatrix3(t),this.setXY(e,vl.x,vl.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)pn.fromBufferAttribute(this,e),pn.applyMatrix3(t),this.setXYZ(e,pn.x,pn.y,pn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)pn.fromBufferAttribute(this,e),pn.applyMatrix4(t),this.setXYZ(e,pn.x,pn.y,pn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)pn.fromBufferAttribute(this,e),pn.applyNormalMatrix(t),this.setXYZ(e,pn.x,pn.y,pn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)pn.fromBufferAttribute(this,e),pn.transformDirection(t),this.setXYZ(e,pn.x,pn.y,pn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=this._denormalize(n)),n}setComponent(t,e,n){return this.normalized&&(n=this._normalize(n)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):fv(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):dv(t,this.array)}};var ia=class extends ne{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var sa=class extends ne{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var Le=class extends ne{constructor(t,e,n){super(new Float32Array(t),e,n)}},Av=new jn,Wo=new D,af=new D,hi=class{constructor(t=new D,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):Av.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Wo.subVectors(t,this.center);let e=Wo.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Wo,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(af.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Wo.copy(t.center).add(af)),this.expandByPoint(Wo.copy(t.center).sub(af))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},Tv=0,Mi=new Xt,lf=new ci,Wr=new D,ai=new jn,Xo=new jn,Pn=new D,ge=class i extends Zi{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Tv++}),this.uuid=Ia(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(cv(t)?sa:ia)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new Zt().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return Mi.makeRotationFromQuaternion(t),this.applyMatrix4(Mi),this}rotateX(t){return Mi.makeRotationX(t),this.applyMatrix4(Mi),this}rotateY(t){return Mi.makeRotationY(t),this.applyMatrix4(Mi),this}rotateZ(t){return Mi.makeRotationZ(t),this.applyMatrix4(Mi),this}translate(t,e,n){return Mi.makeTranslation(t,e,n),this.applyMatrix4(Mi),this}scale(t,e,n){return Mi.makeScale(t,e,n),this.applyMatrix4(Mi),this}lookAt(t){return lf.lookAt(t),lf.updateMatrix(),this.applyMatrix4(lf.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Wr).negate(),this.translate(Wr.x,Wr.y,Wr.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Le(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Yt("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new jn);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){ee("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new D(-1/0,-1/0,-1/0),new D(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];ai.setFromBufferAttribute(r),this.morphTargetsRelative?(Pn.addVectors(this.boundingBox.min,ai.min),this.boundingBox.expandByPoint(Pn),Pn.addVectors(this.boundingBox.max,ai.max),this.boundingBox.expandByPoint(Pn)):(this.boundingBox.expandByPoint(ai.min),this.boundingBox.expandByPoint(ai.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&ee('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new hi);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){ee("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new D,1/0);return}if(t){let n=this.boundingSphere.center;if(ai.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Xo.setFromBufferAttribute(a),this.morphTargetsRelative?(Pn.addVectors(ai.min,Xo.min),ai.expandByPoint(Pn),Pn.addVectors(ai.max,Xo.max),ai.expandByPoint(Pn)):(ai.expandByPoint(Xo.min),ai.expandByPoint(Xo.max))}ai.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)Pn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(Pn));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Pn.fromBufferAttribute(a,c),l&&(Wr.fromBufferAttribute(t,c),Pn.add(Wr)),s=Math.max(s,n.distanceToSquared(Pn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&ee('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){ee("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new ne(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let I=0;I<n.count;I++)a[I]=new D,l[I]=new D;let h=new D,u=new D,f=new D,d=new ce,p=new ce,v=new ce,g=new D,m=new D;function _(I,C,L){c[I]=c[C]=c[L]=1,h.fromBufferAttribute(n,I),u.fromBufferAttribute(n,C),f.fromBufferAttribute(n,L),d.fromBufferAttribute(r,I),p.fromBufferAttribute(r,C),v.fromBufferAttribute(r,L),u.sub(h),f.sub(h),p.sub(d),v.sub(d);let k=1/(p.x*v.y-v.x*p.y);isFinite(k)&&(g.copy(u).multiplyScalar(v.y).addScaledVector(f,-p.y).multiplyScalar(k),m.copy(f).multiplyScalar(p.x).addScaledVector(u,-v.x).multiplyScalar(k),a[I].add(g),a[C].add(g),a[L].add(g),l[I].add(m),l[C].add(m),l[L].add(m))}let b=this.groups;b.length===0&&(b=[{start:0,count:t.count}]);for(let I=0,C=b.length;I<C;++I){let L=b[I],k=L.start,F=L.count;for(let E=k,z=k+F;E<z;E+=3)_(t.getX(E+0),t.getX(E+1),t.getX(E+2))}let x=new D,S=new D,M=new D,y=new D;function w(I){M.fromBufferAttribute(s,I),y.copy(M);let C=a[I];x.copy(C),x.sub(M.multiplyScalar(M.dot(C))).normalize(),S.crossVectors(y,C);let k=S.dot(l[I])<0?-1:1;o.setXYZW(I,x.x,x.y,x.z,k)}for(let I=0,C=n.count;I<C;++I)c[I]&&w(I);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==e.count)n=new ne(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let f=0,d=n.count;f<d;f++)n.setXYZ(f,0,0,0);let s=new D,r=new D,o=new D,a=new D,l=new D,c=new D,h=new D,u=new D;if(t)for(let f=0,d=t.count;f<d;f+=3){let p=t.getX(f+0),v=t.getX(f+1),g=t.getX(f+2);s.fromBufferAttribute(e,p),r.fromBufferAttribute(e,v),o.fromBufferAttribute(e,g),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,p),l.fromBufferAttribute(n,v),c.fromBufferAttribute(n,g),a.add(h),l.add(h),c.add(h),n.setXYZ(p,a.x,a.y,a.z),n.setXYZ(v,l.x,l.y,l.z),n.setXYZ(g,c.x,c.y,c.z)}else for(let f=0,d=e.count;f<d;f+=3)s.fromBufferAttribute(e,f+0),r.fromBufferAttribute(e,f+1),o.fromBufferAttribute(e,f+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(f+0,h.x,h.y,h.z),n.setXYZ(f+1,h.x,h.y,h.z),n.setXYZ(f+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)Pn.fromBufferAttribute(t,e),Pn.normalize(),t.setXYZ(e,Pn.x,Pn.y,Pn.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,f=new c.constructor(l.length*h),d=0,p=0;for(let v=0,g=l.length;v<g;v++){a.isInterleavedBufferAttribute?d=l[v]*a.data.stride+a.offset:d=l[v]*h;for(let m=0;m<h;m++)f[p++]=c[d++]}return new ne(f,h,u)}if(this.index===null)return Yt("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let f=c[h],d=t(f,n);l.push(d)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,f=c.length;u<f;u++){let d=c[u];h.push(d.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let f=0,d=u.length;f<d;f++)h.push(u[f].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var cf=new D,Ev=new D,Cv=new Zt,Li=class{constructor(t=new D(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=cf.subVectors(n,e).cross(Ev.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,n=!0){let s=t.delta(cf),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||Cv.getNormalMatrix(t),s=this.coplanarPoint(cf).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},Rv=0,Bs=class extends Zi{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Rv++}),this.uuid=Ia(),this.name="",this.type="Material",this.blending=ro,this.side=Ki,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Af,this.blendDst=Tf,this.blendEquation=vs,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Jt(0,0,0),this.blendAlpha=0,this.depthFunc=Kr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=Ra,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Zr,this.stencilZFail=Zr,this.stencilZPass=Zr,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){Yt(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Yt(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new Jt().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(n=>new Li().fromJSON(n))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let n=t.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new ce().fromArray(n)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new ce().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var fs=new D,hf=new D,Ml=new D,bl=new D,zs=class{constructor(t=new D,e=new D(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,fs)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=fs.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(fs.copy(this.origin).addScaledVector(this.direction,e),fs.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){hf.copy(t).add(e).multiplyScalar(.5),Ml.copy(e).sub(t).normalize(),bl.copy(this.origin).sub(hf);let r=t.distanceTo(e)*.5,o=-this.direction.dot(Ml),a=bl.dot(this.direction),l=-bl.dot(Ml),c=bl.lengthSq(),h=Math.abs(1-o*o),u,f,d,p;if(h>0)if(u=o*l-a,f=o*a-l,p=r*h,u>=0)if(f>=-p)if(f<=p){let v=1/h;u*=v,f*=v,d=u*(u+o*f+2*a)+f*(o*u+f+2*l)+c}else f=r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f=-r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;else f<=-p?(u=Math.max(0,-(-o*r+a)),f=u>0?-r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c):f<=p?(u=0,f=Math.min(Math.max(-r,-l),r),d=f*(f+2*l)+c):(u=Math.max(0,-(o*r+a)),f=u>0?r:Math.min(Math.max(-r,-l),r),d=-u*u+f*(f+2*l)+c);else f=o>0?-r:r,u=Math.max(0,-(o*f+a)),d=-u*u+f*(f+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(hf).addScaledVector(Ml,f),d}intersectSphere(t,e){if(t.radius<0)return null;fs.subVectors(t.center,this.origin);let n=fs.dot(this.direction),s=fs.dot(fs)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,f=this.origin;return c>=0?(n=(t.min.x-f.x)*c,s=(t.max.x-f.x)*c):(n=(t.max.x-f.x)*c,s=(t.min.x-f.x)*c),h>=0?(r=(t.min.y-f.y)*h,o=(t.max.y-f.y)*h):(r=(t.max.y-f.y)*h,o=(t.min.y-f.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-f.z)*u,l=(t.max.z-f.z)*u):(a=(t.max.z-f.z)*u,l=(t.min.z-f.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,fs)!==null}intersectTriangle(t,e,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,f=t.y-o.y,d=t.z-o.z,p=e.x-o.x,v=e.y-o.y,g=e.z-o.z,m=n.x-o.x,_=n.y-o.y,b=n.z-o.z,x=Math.abs(l),S=Math.abs(c),M=Math.abs(h),y,w,I,C,L,k,F,E,z,X,V,rt;if(x>=S&&x>=M?(I=l,k=u,z=p,rt=m,l>=0?(y=c,w=h,C=f,L=d,F=v,E=g,X=_,V=b):(y=h,w=c,C=d,L=f,F=g,E=v,X=b,V=_)):S>=M?(I=c,k=f,z=v,rt=_,c>=0?(y=h,w=l,C=d,L=u,F=g,E=p,X=b,V=m):(y=l,w=h,C=u,L=d,F=p,E=g,X=m,V=b)):(I=h,k=d,z=g,rt=b,h>=0?(y=l,w=c,C=u,L=f,F=p,E=v,X=m,V=_):(y=c,w=l,C=f,L=u,F=v,E=p,X=_,V=m)),I===0)return null;let Y=y/I,K=w/I,et=1/I,ht=C-Y*k,at=L-K*k,Q=F-Y*z,gt=E-K*z,xt=X-Y*rt,dt=V-K*rt,_t=xt*gt-dt*Q,Gt=ht*dt-at*xt,jt=Q*at-gt*ht;if(s){if(_t<0||Gt<0||jt<0)return null}else if((_t<0||Gt<0||jt<0)&&(_t>0||Gt>0||jt>0))return null;let Ut=_t+Gt+jt;if(Ut===0)return null;let ae=et*(_t*k+Gt*z+jt*rt);return(Ut>0?ae<0:ae>0)?null:this.at(ae/Ut,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Ji=class extends Bs{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Jt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ks,this.combine=Ef,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},Pm=new Xt,sr=new zs,wl=new hi,Im=new D,Sl=new D,Al=new D,Tl=new D,uf=new D,El=new D,Nm=new D,Cl=new D,Re=class extends ci{constructor(t=new ge,e=new Ji){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){El.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(uf.fromBufferAttribute(u,t),o?El.addScaledVector(uf,h):El.addScaledVector(uf.sub(e),h))}e.add(El)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),wl.copy(n.boundingSphere),wl.applyMatrix4(r),sr.copy(t.ray).recast(t.near),!(wl.containsPoint(sr.origin)===!1&&(sr.intersectSphere(wl,Im)===null||sr.origin.distanceToSquared(Im)>(t.far-t.near)**2))&&(Pm.copy(r).invert(),sr.copy(t.ray).applyMatrix4(Pm),!(n.boundingBox!==null&&sr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,sr)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,f=r.groups,d=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,v=f.length;p<v;p++){let g=f[p],m=o[g.materialIndex],_=Math.max(g.start,d.start),b=Math.min(a.count,Math.min(g.start+g.count,d.start+d.count));for(let x=_,S=b;x<S;x+=3){let M=a.getX(x),y=a.getX(x+1),w=a.getX(x+2);s=Rl(this,m,t,n,c,h,u,M,y,w),s&&(s.faceIndex=Math.floor(x/3),s.face.materialIndex=g.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),v=Math.min(a.count,d.start+d.count);for(let g=p,m=v;g<m;g+=3){let _=a.getX(g),b=a.getX(g+1),x=a.getX(g+2);s=Rl(this,o,t,n,c,h,u,_,b,x),s&&(s.faceIndex=Math.floor(g/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let p=0,v=f.length;p<v;p++){let g=f[p],m=o[g.materialIndex],_=Math.max(g.start,d.start),b=Math.min(l.count,Math.min(g.start+g.count,d.start+d.count));for(let x=_,S=b;x<S;x+=3){let M=x,y=x+1,w=x+2;s=Rl(this,m,t,n,c,h,u,M,y,w),s&&(s.faceIndex=Math.floor(x/3),s.face.materialIndex=g.materialIndex,e.push(s))}}else{let p=Math.max(0,d.start),v=Math.min(l.count,d.start+d.count);for(let g=p,m=v;g<m;g+=3){let _=g,b=g+1,x=g+2;s=Rl(this,o,t,n,c,h,u,_,b,x),s&&(s.faceIndex=Math.floor(g/3),e.push(s))}}}};function Pv(i,t,e,n,s,r,o,a){let l;if(t.side===Dn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===Ki,a),l===null)return null;Cl.copy(a),Cl.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Cl);return c<e.near||c>e.far?null:{distance:c,point:Cl.clone(),object:i}}function Rl(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,Sl),i.getVertexPosition(l,Al),i.getVertexPosition(c,Tl);let h=Pv(i,t,e,n,Sl,Al,Tl,Nm);if(h){let u=new D;ds.getBarycoord(Nm,Sl,Al,Tl,u),s&&(h.uv=ds.getInterpolatedAttribute(s,a,l,c,u,new ce)),r&&(h.uv1=ds.getInterpolatedAttribute(r,a,l,c,u,new ce)),o&&(h.normal=ds.getInterpolatedAttribute(o,a,l,c,u,new D),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let f={a,b:l,c,normal:new D,materialIndex:0};ds.getNormal(Sl,Al,Tl,f.normal),h.face=f,h.barycoord=u}return h}var ra=class extends Yn{constructor(t=null,e=1,n=1,s,r,o,a,l,c=mn,h=mn,u,f){super(null,o,a,l,c,h,s,r,u,f),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var oa=class extends ne{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},Xr=new Xt,Lm=new Xt,Pl=[],Dm=new jn,Iv=new Xt,qo=new Re,$o=new hi,ui=class extends Re{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new oa(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,Iv)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new jn),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Xr),Dm.copy(t.boundingBox).applyMatrix4(Xr),this.boundingBox.union(Dm)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new hi),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,Xr),$o.copy(t.boundingSphere).applyMatrix4(Xr),this.boundingSphere.union($o)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(qo.geometry=this.geometry,qo.material=this.material,qo.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),$o.copy(this.boundingSphere),$o.applyMatrix4(n),t.ray.intersectsSphere($o)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Xr),Lm.multiplyMatrices(n,Xr),qo.matrixWorld=Lm,qo.raycast(t,Pl);for(let o=0,a=Pl.length;o<a;o++){let l=Pl[o];l.instanceId=r,l.object=this,e.push(l)}Pl.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new oa(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new ra(new Float32Array(s*this.count),s,this.count,Tc,wi));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},rr=new hi,Nv=new ce(.5,.5),Il=new D,ar=class{constructor(t=new Li,e=new Li,n=new Li,s=new Li,r=new Li,o=new Li){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=bi,n=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],f=r[6],d=r[7],p=r[8],v=r[9],g=r[10],m=r[11],_=r[12],b=r[13],x=r[14],S=r[15];if(s[0].setComponents(c-o,d-h,m-p,S-_).normalize(),s[1].setComponents(c+o,d+h,m+p,S+_).normalize(),s[2].setComponents(c+a,d+u,m+v,S+b).normalize(),s[3].setComponents(c-a,d-u,m-v,S-b).normalize(),n)s[4].setComponents(l,f,g,x).normalize(),s[5].setComponents(c-l,d-f,m-g,S-x).normalize();else if(s[4].setComponents(c-l,d-f,m-g,S-x).normalize(),e===bi)s[5].setComponents(c+l,d+f,m+g,S+x).normalize();else if(e===Qo)s[5].setComponents(l,f,g,x).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),rr.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),rr.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(rr)}intersectsSprite(t){rr.center.set(0,0,0);let e=Nv.distanceTo(t.center);return rr.radius=.7071067811865476+e,rr.applyMatrix4(t.matrixWorld),this.intersectsSphere(rr)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(Il.x=s.normal.x>0?t.max.x:t.min.x,Il.y=s.normal.y>0?t.max.y:t.min.y,Il.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(Il)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Fm=new Xt,nc=class i{constructor(){this.coordinateSystem=bi,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,n=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];Fm.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new ar),n[s].setFromProjectionMatrix(Fm,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let n=0;n<this._count;n++)if(e[n].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,n=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new ar),e[s].copy(n[s]);return this._count=t._count,this}clone(){return new i().copy(this)}};var Di=class extends Bs{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Jt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},ic=new D,sc=new D,Um=new Xt,Yo=new zs,Nl=new hi,ff=new D,Om=new D,rc=class extends ci{constructor(t=new ge,e=new Di){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)ic.fromBufferAttribute(e,s-1),sc.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=ic.distanceTo(sc);t.setAttribute("lineDistance",new Le(n,1))}else Yt("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Nl.copy(n.boundingSphere),Nl.applyMatrix4(s),Nl.radius+=r,t.ray.intersectsSphere(Nl)===!1)return;Um.copy(s).invert(),Yo.copy(t.ray).applyMatrix4(Um);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,f=n.attributes.position;if(h!==null){let d=Math.max(0,o.start),p=Math.min(h.count,o.start+o.count);for(let v=d,g=p-1;v<g;v+=c){let m=h.getX(v),_=h.getX(v+1),b=Ll(this,t,Yo,l,m,_,v);b&&e.push(b)}if(this.isLineLoop){let v=h.getX(p-1),g=h.getX(d),m=Ll(this,t,Yo,l,v,g,p-1);m&&e.push(m)}}else{let d=Math.max(0,o.start),p=Math.min(f.count,o.start+o.count);for(let v=d,g=p-1;v<g;v+=c){let m=Ll(this,t,Yo,l,v,v+1,v);m&&e.push(m)}if(this.isLineLoop){let v=Ll(this,t,Yo,l,p-1,d,p-1);v&&e.push(v)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Ll(i,t,e,n,s,r,o){let a=i.geometry.attributes.position;if(ic.fromBufferAttribute(a,s),sc.fromBufferAttribute(a,r),e.distanceSqToSegment(ic,sc,ff,Om)>n)return;ff.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(ff);if(!(c<t.near||c>t.far))return{distance:c,point:Om.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var km=new D,Bm=new D,Qn=class extends rc{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)km.fromBufferAttribute(e,s),Bm.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+km.distanceTo(Bm);t.setAttribute("lineDistance",new Le(n,1))}else Yt("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var aa=class extends Yn{constructor(t,e){super({width:t,height:e}),this.isFramebufferTexture=!0,this.magFilter=mn,this.minFilter=mn,this.generateMipmaps=!1,this.needsUpdate=!0}copy(t){return super.copy(t),this.source=new or(Object.assign({},t.image)),this}};var la=class extends Yn{constructor(t=[],e=lr,n,s,r,o,a,l,c,h){super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}};var gs=class extends Yn{constructor(t,e,n=Fi,s,r,o,a=mn,l=mn,c,h=ms,u=1){if(h!==ms&&h!==bs)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let f={width:t,height:e,depth:u};super(f,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new or(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},ca=class extends gs{constructor(t,e=Fi,n=lr,s,r,o=mn,a=mn,l,c=ms){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},ha=class extends Yn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},Vs=class i extends ge{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],f=0,d=0;p("z","y","x",-1,-1,n,e,t,o,r,0),p("z","y","x",1,-1,n,e,-t,o,r,1),p("x","z","y",1,1,t,n,e,s,o,2),p("x","z","y",1,-1,t,n,-e,s,o,3),p("x","y","z",1,-1,t,e,n,s,r,4),p("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new Le(c,3)),this.setAttribute("normal",new Le(h,3)),this.setAttribute("uv",new Le(u,2));function p(v,g,m,_,b,x,S,M,y,w,I){let C=x/y,L=S/w,k=x/2,F=S/2,E=M/2,z=y+1,X=w+1,V=0,rt=0,Y=new D;for(let K=0;K<X;K++){let et=K*L-F;for(let ht=0;ht<z;ht++){let at=ht*C-k;Y[v]=at*_,Y[g]=et*b,Y[m]=E,c.push(Y.x,Y.y,Y.z),Y[v]=0,Y[g]=0,Y[m]=M>0?1:-1,h.push(Y.x,Y.y,Y.z),u.push(ht/y),u.push(1-K/w),V+=1}}for(let K=0;K<w;K++)for(let et=0;et<y;et++){let ht=f+et+z*K,at=f+et+z*(K+1),Q=f+(et+1)+z*(K+1),gt=f+(et+1)+z*K;l.push(ht,at,gt),l.push(at,Q,gt),rt+=6}a.addGroup(d,rt,I),d+=rt,f+=V}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},ua=class i extends ge{constructor(t=1,e=1,n=4,s=8,r=1){super(),this.type="CapsuleGeometry",this.parameters={radius:t,height:e,capSegments:n,radialSegments:s,heightSegments:r},e=Math.max(0,e),n=Math.max(1,Math.floor(n)),s=Math.max(3,Math.floor(s)),r=Math.max(1,Math.floor(r));let o=[],a=[],l=[],c=[],h=e/2,u=Math.PI/2*t,f=e,d=2*u+f,p=n*2+r,v=s+1,g=new D,m=new D;for(let _=0;_<=p;_++){let b=0,x=0,S=0,M=0;if(_<=n){let I=_/n,C=I*Math.PI/2;x=-h-t*Math.cos(C),S=t*Math.sin(C),M=-t*Math.cos(C),b=I*u}else if(_<=n+r){let I=(_-n)/r;x=-h+I*e,S=t,M=0,b=u+I*f}else{let I=(_-n-r)/n,C=I*Math.PI/2;x=h+t*Math.sin(C),S=t*Math.cos(C),M=t*Math.sin(C),b=u+f+I*u}let y=Math.max(0,Math.min(1,b/d)),w=0;_===0?w=.5/s:_===p&&(w=-.5/s);for(let I=0;I<=s;I++){let C=I/s,L=C*Math.PI*2,k=Math.sin(L),F=Math.cos(L);m.x=-S*F,m.y=x,m.z=S*k,a.push(m.x,m.y,m.z),g.set(-S*F,M,S*k),g.normalize(),l.push(g.x,g.y,g.z),c.push(C+w,y)}if(_>0){let I=(_-1)*v;for(let C=0;C<s;C++){let L=I+C,k=I+C+1,F=_*v+C,E=_*v+C+1;o.push(L,k,F),o.push(k,E,F)}}}this.setIndex(o),this.setAttribute("position",new Le(a,3)),this.setAttribute("normal",new Le(l,3)),this.setAttribute("uv",new Le(c,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.height,t.capSegments,t.radialSegments,t.heightSegments)}};var xs=class i extends ge{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],f=[],d=[],p=0,v=[],g=n/2,m=0;_(),o===!1&&(t>0&&b(!0),e>0&&b(!1)),this.setIndex(h),this.setAttribute("position",new Le(u,3)),this.setAttribute("normal",new Le(f,3)),this.setAttribute("uv",new Le(d,2));function _(){let x=new D,S=new D,M=0,y=(e-t)/n;for(let w=0;w<=r;w++){let I=[],C=w/r,L=C*(e-t)+t;for(let k=0;k<=s;k++){let F=k/s,E=F*l+a,z=Math.sin(E),X=Math.cos(E);S.x=L*z,S.y=-C*n+g,S.z=L*X,u.push(S.x,S.y,S.z),x.set(z,y,X).normalize(),f.push(x.x,x.y,x.z),d.push(F,1-C),I.push(p++)}v.push(I)}for(let w=0;w<s;w++)for(let I=0;I<r;I++){let C=v[I][w],L=v[I+1][w],k=v[I+1][w+1],F=v[I][w+1];(t>0||I!==0)&&(h.push(C,L,F),M+=3),(e>0||I!==r-1)&&(h.push(L,k,F),M+=3)}c.addGroup(m,M,0),m+=M}function b(x){let S=p,M=new ce,y=new D,w=0,I=x===!0?t:e,C=x===!0?1:-1;for(let k=1;k<=s;k++)u.push(0,g*C,0),f.push(0,C,0),d.push(.5,.5),p++;let L=p;for(let k=0;k<=s;k++){let E=k/s*l+a,z=Math.cos(E),X=Math.sin(E);y.x=I*X,y.y=g*C,y.z=I*z,u.push(y.x,y.y,y.z),f.push(0,C,0),M.x=z*.5+.5,M.y=X*.5*C+.5,d.push(M.x,M.y),p++}for(let k=0;k<s;k++){let F=S+k,E=L+k;x===!0?h.push(E,E+1,F):h.push(E+1,E,F),w+=3}c.addGroup(m,w,x===!0?1:2),m+=w}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},eo=class i extends xs{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var Dl=new D,Fl=new D,df=new D,Ul=new ds,fa=class extends ge{constructor(t=null,e=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:t,thresholdAngle:e},t!==null){let s=Math.pow(10,4),r=Math.cos(Vl*e),o=t.getIndex(),a=t.getAttribute("position"),l=o?o.count:a.count,c=[0,0,0],h=["a","b","c"],u=new Array(3),f=new Map,d=[];for(let p=0;p<l;p+=3){o?(c[0]=o.getX(p),c[1]=o.getX(p+1),c[2]=o.getX(p+2)):(c[0]=p,c[1]=p+1,c[2]=p+2);let{a:v,b:g,c:m}=Ul;if(v.fromBufferAttribute(a,c[0]),g.fromBufferAttribute(a,c[1]),m.fromBufferAttribute(a,c[2]),Ul.getNormal(df),u[0]=`${Math.round(v.x*s)},${Math.round(v.y*s)},${Math.round(v.z*s)}`,u[1]=`${Math.round(g.x*s)},${Math.round(g.y*s)},${Math.round(g.z*s)}`,u[2]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,!(u[0]===u[1]||u[1]===u[2]||u[2]===u[0]))for(let _=0;_<3;_++){let b=(_+1)%3,x=u[_],S=u[b],M=Ul[h[_]],y=Ul[h[b]],w=`${x}_${S}`,I=`${S}_${x}`,C=f.get(I);C?(df.dot(C.normal)<=r&&(d.push(M.x,M.y,M.z),d.push(y.x,y.y,y.z)),f.set(I,null)):f.has(w)||f.set(w,{index0:c[_],index1:c[b],normal:df.clone()})}}for(let p of f.values())if(p){let{index0:v,index1:g}=p;Dl.fromBufferAttribute(a,v),Fl.fromBufferAttribute(a,g),d.push(Dl.x,Dl.y,Dl.z),d.push(Fl.x,Fl.y,Fl.z)}this.setAttribute("position",new Le(d,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}};var da=class i extends ge{constructor(t=[new ce(0,-.5),new ce(.5,0),new ce(0,.5)],e=12,n=0,s=Math.PI*2){super(),this.type="LatheGeometry",this.parameters={points:t,segments:e,phiStart:n,phiLength:s},e=Math.floor(e),s=Me(s,0,Math.PI*2);let r=[],o=[],a=[],l=[],c=[],h=1/e,u=new D,f=new ce,d=new D,p=new D,v=new D,g=0,m=0;for(let _=0;_<=t.length-1;_++)switch(_){case 0:g=t[_+1].x-t[_].x,m=t[_+1].y-t[_].y,d.x=m*1,d.y=-g,d.z=m*0,v.copy(d),d.normalize(),l.push(d.x,d.y,d.z);break;case t.length-1:v.normalize(),l.push(v.x,v.y,v.z);break;default:g=t[_+1].x-t[_].x,m=t[_+1].y-t[_].y,d.x=m*1,d.y=-g,d.z=m*0,p.copy(d),d.x+=v.x,d.y+=v.y,d.z+=v.z,d.normalize(),l.push(d.x,d.y,d.z),v.copy(p)}for(let _=0;_<=e;_++){let b=n+_*h*s,x=Math.sin(b),S=Math.cos(b);for(let M=0;M<=t.length-1;M++){u.x=t[M].x*x,u.y=t[M].y,u.z=t[M].x*S,o.push(u.x,u.y,u.z),f.x=_/e,f.y=M/(t.length-1),a.push(f.x,f.y);let y=l[3*M+0]*x,w=l[3*M+1],I=l[3*M+0]*S;c.push(y,w,I)}}for(let _=0;_<e;_++)for(let b=0;b<t.length-1;b++){let x=b+_*t.length,S=x,M=x+t.length,y=x+t.length+1,w=x+1;r.push(S,M,w),r.push(y,w,M)}this.setIndex(r),this.setAttribute("position",new Le(o,3)),this.setAttribute("uv",new Le(a,2)),this.setAttribute("normal",new Le(c,3))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.points,t.segments,t.phiStart,t.phiLength)}};var ys=class i extends ge{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=t/a,f=e/l,d=[],p=[],v=[],g=[];for(let m=0;m<h;m++){let _=m*f-o;for(let b=0;b<c;b++){let x=b*u-r;p.push(x,-_,0),v.push(0,0,1),g.push(b/a),g.push(1-m/l)}}for(let m=0;m<l;m++)for(let _=0;_<a;_++){let b=_+c*m,x=_+c*(m+1),S=_+1+c*(m+1),M=_+1+c*m;d.push(b,x,M),d.push(x,S,M)}this.setIndex(d),this.setAttribute("position",new Le(p,3)),this.setAttribute("normal",new Le(v,3)),this.setAttribute("uv",new Le(g,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}};var pa=class i extends ge{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new D,f=new D,d=[],p=[],v=[],g=[];for(let m=0;m<=n;m++){let _=[],b=m/n,x=o+b*a,S=t*Math.cos(x),M=Math.sqrt(t*t-S*S),y=0;m===0&&o===0?y=.5/e:m===n&&l===Math.PI&&(y=-.5/e);for(let w=0;w<=e;w++){let I=w/e,C=s+I*r;u.x=-M*Math.cos(C),u.y=S,u.z=M*Math.sin(C),p.push(u.x,u.y,u.z),f.copy(u).normalize(),v.push(f.x,f.y,f.z),g.push(I+y,1-b),_.push(c++)}h.push(_)}for(let m=0;m<n;m++)for(let _=0;_<e;_++){let b=h[m][_+1],x=h[m][_],S=h[m+1][_],M=h[m+1][_+1];(m!==0||o>0)&&d.push(b,x,M),(m!==n-1||l<Math.PI)&&d.push(x,S,M)}this.setIndex(d),this.setAttribute("position",new Le(p,3)),this.setAttribute("normal",new Le(v,3)),this.setAttribute("uv",new Le(g,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};var ma=class i extends ge{constructor(t=1,e=.4,n=12,s=48,r=Math.PI*2,o=0,a=Math.PI*2){super(),this.type="TorusGeometry",this.parameters={radius:t,tube:e,radialSegments:n,tubularSegments:s,arc:r,thetaStart:o,thetaLength:a},n=Math.floor(n),s=Math.floor(s);let l=[],c=[],h=[],u=[],f=new D,d=new D,p=new D;for(let v=0;v<=n;v++){let g=o+v/n*a;for(let m=0;m<=s;m++){let _=m/s*r;d.x=(t+e*Math.cos(g))*Math.cos(_),d.y=(t+e*Math.cos(g))*Math.sin(_),d.z=e*Math.sin(g),c.push(d.x,d.y,d.z),f.x=t*Math.cos(_),f.y=t*Math.sin(_),p.subVectors(d,f).normalize(),h.push(p.x,p.y,p.z),u.push(m/s),u.push(v/n)}}for(let v=1;v<=n;v++)for(let g=1;g<=s;g++){let m=(s+1)*v+g-1,_=(s+1)*(v-1)+g-1,b=(s+1)*(v-1)+g,x=(s+1)*v+g;l.push(m,_,x),l.push(_,b,x)}this.setIndex(l),this.setAttribute("position",new Le(c,3)),this.setAttribute("normal",new Le(h,3)),this.setAttribute("uv",new Le(u,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.tube,t.radialSegments,t.tubularSegments,t.arc,t.thetaStart,t.thetaLength)}};function hr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];if(zm(s))s.isRenderTargetTexture?(Yt("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone();else if(Array.isArray(s))if(zm(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][n]=r}else t[e][n]=s.slice();else t[e][n]=s}}return t}function Bn(i){let t={};for(let e=0;e<i.length;e++){let n=hr(i[e]);for(let s in n)t[s]=n[s]}return t}function zm(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function Lv(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Jf(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:ve.workingColorSpace}var Rg={clone:hr,merge:Bn},Dv=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Fv=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,In=class extends Bs{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Dv,this.fragmentShader=Fv,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=hr(t.uniforms),this.uniformsGroups=Lv(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let n in t.uniforms){let s=t.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=e[s.value]||null;break;case"c":this.uniforms[n].value=new Jt().setHex(s.value);break;case"v2":this.uniforms[n].value=new ce().fromArray(s.value);break;case"v3":this.uniforms[n].value=new D().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Ce().fromArray(s.value);break;case"m3":this.uniforms[n].value=new Zt().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Xt().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let n in t.extensions)this.extensions[n]=t.extensions[n];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},oc=class extends In{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var ac=class extends Bs{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=mg,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},lc=class extends Bs{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function qr(i,t){return!i||i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function Ol(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Gs=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},cc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:mf,endingEnd:mf}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case gf:r=t,a=2*e-n;break;case xf:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case gf:o=t,l=2*n-e;break;case xf:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,f=this._weightPrev,d=this._weightNext,p=(n-e)/(s-e),v=p*p,g=v*p,m=-f*g+2*f*v-f*p,_=(1+f)*g+(-1.5-2*f)*v+(-.5+f)*p+1,b=(-1-d)*g+(1.5+d)*v+.5*p,x=d*g-d*v;for(let S=0;S!==a;++S)r[S]=m*o[h+S]+_*o[c+S]+b*o[l+S]+x*o[u+S];return r}},hc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),u=1-h;for(let f=0;f!==a;++f)r[f]=o[c+f]*u+o[l+f]*h;return r}},uc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},fc=class extends Gs{interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let p=(n-e)/(s-e),v=1-p;for(let g=0;g!==a;++g)r[g]=o[c+g]*v+o[l+g]*p;return r}let f=a*2,d=t-1;for(let p=0;p!==a;++p){let v=o[c+p],g=o[l+p],m=d*f+p*2,_=u[m],b=u[m+1],x=t*f+p*2,S=h[x],M=h[x+1],y=Ov(n,e,_,S,s);r[p]=Pg(y,v,b,M,g)}return r}};function Pg(i,t,e,n,s){let r=1-i;return r*r*r*t+3*r*r*i*e+3*r*i*i*n+i*i*i*s}function Uv(i,t,e,n,s){let r=1-i;return 3*r*r*(e-t)+6*r*i*(n-e)+3*i*i*(s-n)}function Ov(i,t,e,n,s){let r=(i-t)/(s-t);for(let o=0;o<8;o++){let a=Pg(r,t,e,n,s)-i;if(Math.abs(a)<1e-10)break;let l=Uv(r,t,e,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var fi=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=qr(e,this.TimeBufferType),this.values=qr(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:qr(t.times,Array),values:qr(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s),Ol(t.settings)&&(n.settings={inTangents:qr(t.settings.inTangents,Array),outTangents:qr(t.settings.outTangents,Array)})}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new uc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new hc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new cc(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new fc(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Jo:e=this.InterpolantFactoryMethodDiscrete;break;case Kl:e=this.InterpolantFactoryMethodLinear;break;case zl:e=this.InterpolantFactoryMethodSmooth;break;case pf:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Yt("KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Jo;case this.InterpolantFactoryMethodLinear:return Kl;case this.InterpolantFactoryMethodSmooth:return zl;case this.InterpolantFactoryMethodBezier:return pf}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t;Ol(this.settings)&&(Vm(this.settings.inTangents,t),Vm(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t;Ol(this.settings)&&(Gm(this.settings.inTangents,t),Gm(this.settings.outTangents,t))}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(ee("KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(ee("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){ee("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){ee("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&hv(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){ee("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===zl,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let u=a*n,f=u-n,d=u+n;for(let p=0;p!==n;++p){let v=e[u+p];if(v!==e[f+p]||v!==e[d+p]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*n,f=o*n;for(let d=0;d!==n;++d)e[f+d]=e[u+d]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,Ol(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Vm(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]+=t}function Gm(i,t){for(let e=0,n=i.length;e!==n;e+=2)i[e]*=t}fi.prototype.ValueTypeName="";fi.prototype.TimeBufferType=Float32Array;fi.prototype.ValueBufferType=Float32Array;fi.prototype.DefaultInterpolation=Kl;var Hs=class extends fi{constructor(t,e,n){super(t,e,n)}};Hs.prototype.ValueTypeName="bool";Hs.prototype.ValueBufferType=Array;Hs.prototype.DefaultInterpolation=Jo;Hs.prototype.InterpolantFactoryMethodLinear=void 0;Hs.prototype.InterpolantFactoryMethodSmooth=void 0;var dc=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}};dc.prototype.ValueTypeName="color";var pc=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}};pc.prototype.ValueTypeName="number";var mc=class extends Gs{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)fe.slerpFlat(r,0,o,c-a,o,c,l);return r}},ga=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}InterpolantFactoryMethodLinear(t){return new mc(this.times,this.values,this.getValueSize(),t)}};ga.prototype.ValueTypeName="quaternion";ga.prototype.InterpolantFactoryMethodSmooth=void 0;var Ws=class extends fi{constructor(t,e,n){super(t,e,n)}};Ws.prototype.ValueTypeName="string";Ws.prototype.ValueBufferType=Array;Ws.prototype.DefaultInterpolation=Jo;Ws.prototype.InterpolantFactoryMethodLinear=void 0;Ws.prototype.InterpolantFactoryMethodSmooth=void 0;var gc=class extends fi{constructor(t,e,n,s){super(t,e,n,s)}};gc.prototype.ValueTypeName="vector";var xc=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,f=c.length;u<f;u+=2){let d=c[u],p=c[u+1];if(d.global&&(d.lastIndex=0),d.test(h))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},Ig=new xc,yc=class{constructor(t){this.manager=t!==void 0?t:Ig,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};yc.DEFAULT_MATERIAL_NAME="__DEFAULT";var kl=new D,Bl=new fe,$i=new D,xa=class extends ci{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Xt,this.projectionMatrix=new Xt,this.projectionMatrixInverse=new Xt,this.coordinateSystem=bi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(kl,Bl,$i),$i.x===1&&$i.y===1&&$i.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(kl,Bl,$i.set(1,1,1)).invert()}updateWorldMatrix(t,e,n=!1){super.updateWorldMatrix(t,e,n),this.matrixWorld.decompose(kl,Bl,$i),$i.x===1&&$i.y===1&&$i.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(kl,Bl,$i.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Os=new D,Hm=new ce,Wm=new ce,qn=class extends xa{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=jl*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Vl*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return jl*2*Math.atan(Math.tan(Vl*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){Os.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Os.x,Os.y).multiplyScalar(-t/Os.z),Os.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Os.x,Os.y).multiplyScalar(-t/Os.z)}getViewSize(t,e){return this.getViewBounds(t,Hm,Wm),e.subVectors(Wm,Hm)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Vl*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var no=class extends xa{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}};var $r=-90,Yr=1,io=class extends ci{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new qn($r,Yr,t,e);s.layers=this.layers,this.add(s);let r=new qn($r,Yr,t,e);r.layers=this.layers,this.add(r);let o=new qn($r,Yr,t,e);o.layers=this.layers,this.add(o);let a=new qn($r,Yr,t,e);a.layers=this.layers,this.add(a);let l=new qn($r,Yr,t,e);l.layers=this.layers,this.add(l);let c=new qn($r,Yr,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===bi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Qo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),f=t.getActiveCubeFace(),d=t.getActiveMipmapLevel(),p=t.xr.enabled;t.xr.enabled=!1;let v=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let g=!1;t.isWebGLRenderer===!0?g=t.state.buffers.depth.getReversed():g=t.reversedDepthBuffer,t.setRenderTarget(n,0,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(n,1,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(n,2,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(n,3,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(n,4,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),n.texture.mipmapsAutoUpdate=v,t.setRenderTarget(n,5,s),g&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,f,d),t.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},_c=class extends qn{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Kf="\\[\\]\\.:\\/",kv=new RegExp("["+Kf+"]","g"),jf="[^"+Kf+"]",Bv="[^"+Kf.replace("\\.","")+"]",zv=/((?:WC+[\/:])*)/.source.replace("WC",jf),Vv=/(WCOD+)?/.source.replace("WCOD",Bv),Gv=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",jf),Hv=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",jf),Wv=new RegExp("^"+zv+Vv+Gv+Hv+"$"),Xv=["material","materials","bones","map"],yf=class{constructor(t,e,n){let s=n||Ye.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},Ye=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(kv,"")}static parseTrackName(t){let e=Wv.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);Xv.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Yt("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){ee("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){ee("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){ee("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){ee("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){ee("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){ee("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){ee("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;ee("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){ee("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){ee("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Ye.Composite=yf;Ye.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Ye.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Ye.prototype.GetterByBindingType=[Ye.prototype._getValue_direct,Ye.prototype._getValue_array,Ye.prototype._getValue_arrayElement,Ye.prototype._getValue_toArray];Ye.prototype.SetterByBindingTypeAndVersioning=[[Ye.prototype._setValue_direct,Ye.prototype._setValue_direct_setNeedsUpdate,Ye.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Ye.prototype._setValue_array,Ye.prototype._setValue_array_setNeedsUpdate,Ye.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Ye.prototype._setValue_arrayElement,Ye.prototype._setValue_arrayElement_setNeedsUpdate,Ye.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Ye.prototype._setValue_fromArray,Ye.prototype._setValue_fromArray_setNeedsUpdate,Ye.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var SR=new Float32Array(1);var Xm=new Xt,ya=class{constructor(t,e,n=0,s=1/0){this.ray=new zs(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new Qr,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,e.projectionMatrix.elements[14]).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):ee("Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return Xm.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(Xm),this}intersectObject(t,e=!0,n=[]){return _f(t,this,n,e),n.sort(qm),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)_f(t[s],this,n,e);return n.sort(qm),n}};function qm(i,t){return i.distance-t.distance}function _f(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){let r=i.children;for(let o=0,a=r.length;o<a;o++)_f(r[o],t,e,!0)}}var vf=class{static{this.prototype.isMatrix2=!0}constructor(t,e,n,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let n=0;n<4;n++)this.elements[n]=t[n+e];return this}set(t,e,n,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=n,r[3]=s,this}};function Qf(i,t,e,n){let s=qv(n);switch(e){case zf:return i*t;case Tc:return i*t/s.components*s.byteLength;case Ec:return i*t/s.components*s.byteLength;case Xs:return i*t*2/s.components*s.byteLength;case Cc:return i*t*2/s.components*s.byteLength;case Vf:return i*t*3/s.components*s.byteLength;case Ui:return i*t*4/s.components*s.byteLength;case Rc:return i*t*4/s.components*s.byteLength;case wa:case Sa:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Aa:case Ta:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Ic:case Lc:return Math.max(i,16)*Math.max(t,8)/4;case Pc:case Nc:return Math.max(i,8)*Math.max(t,8)/2;case Dc:case Fc:case Oc:case kc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Uc:case Ea:case Bc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case zc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Vc:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Gc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Hc:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Wc:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case Xc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case qc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case $c:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Yc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Zc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Jc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Kc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case jc:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Qc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case th:case eh:case nh:return Math.ceil(i/4)*Math.ceil(t/4)*16;case ih:case sh:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Ca:case rh:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function qv(i){switch(i){case di:case Uf:return{byteLength:1,components:1};case ao:case Of:case pi:return{byteLength:2,components:1};case Sc:case Ac:return{byteLength:2,components:4};case Fi:case wc:case wi:return{byteLength:4,components:1};case kf:case Bf:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Yt("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function Qg(){let i=null,t=!1,e=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&i!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function Yv(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,f=i.createBuffer();i.bindBuffer(l,f),i.bufferData(l,c,h),a.onUploadCallback();let d;if(c instanceof Float32Array)d=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)d=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?d=i.HALF_FLOAT:d=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)d=i.SHORT;else if(c instanceof Uint32Array)d=i.UNSIGNED_INT;else if(c instanceof Int32Array)d=i.INT;else if(c instanceof Int8Array)d=i.BYTE;else if(c instanceof Uint8Array)d=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)d=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:f,type:d,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((d,p)=>d.start-p.start);let f=0;for(let d=1;d<u.length;d++){let p=u[f],v=u[d];v.start<=p.start+p.count+1?p.count=Math.max(p.count,v.start+v.count-p.start):(++f,u[f]=v)}u.length=f+1;for(let d=0,p=u.length;d<p;d++){let v=u[d];i.bufferSubData(c,v.start*h.BYTES_PER_ELEMENT,h,v.start,v.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var Zv=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,Jv=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,Kv=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,jv=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Qv=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,tM=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,eM=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,nM=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,iM=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,sM=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,rM=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,oM=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,aM=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,lM=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,cM=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,hM=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,uM=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,fM=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,dM=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,pM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,mM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,gM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,xM=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,yM=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,_M=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,vM=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,MM=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,bM=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,wM=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,SM="gl_FragColor = linearToOutputTexel( gl_FragColor );",AM=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,TM=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,EM=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,CM=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,RM=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,PM=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,IM=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,NM=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,LM=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,DM=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,FM=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,UM=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,OM=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,kM=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,BM=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,zM=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,VM=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,GM=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,HM=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,WM=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,XM=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,qM=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,$M=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,YM=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,ZM=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,JM=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,KM=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,jM=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,QM=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,tb=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,eb=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,nb=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,ib=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,sb=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,rb=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,ob=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,ab=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,lb=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,cb=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,hb=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,ub=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,fb=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,db=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,pb=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,mb=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,gb=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,xb=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,yb=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,_b=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,vb=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,Mb=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,bb=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,wb=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,Sb=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,Ab=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,Tb=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,Eb=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,Cb=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,Rb=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,Pb=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,Ib=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,Nb=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,Lb=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,Db=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,Fb=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,Ub=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,Ob=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,kb=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,Bb=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,zb=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,Vb=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,Gb=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,Hb=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,Wb=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Xb=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,qb=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,$b=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,Yb=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Zb=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Jb=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Kb=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,jb=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Qb=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,tw=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,ew=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,nw=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,iw=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,sw=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,rw=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,ow=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,aw=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,lw=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,cw=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,hw=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,uw=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,fw=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,dw=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,pw=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,mw=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,gw=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,xw=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,yw=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,_w=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,vw=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Mw=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,bw=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,ww=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Sw=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Aw=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Tw=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Ew=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,de={alphahash_fragment:Zv,alphahash_pars_fragment:Jv,alphamap_fragment:Kv,alphamap_pars_fragment:jv,alphatest_fragment:Qv,alphatest_pars_fragment:tM,aomap_fragment:eM,aomap_pars_fragment:nM,batching_pars_vertex:iM,batching_vertex:sM,begin_vertex:rM,beginnormal_vertex:oM,bsdfs:aM,iridescence_fragment:lM,bumpmap_pars_fragment:cM,clipping_planes_fragment:hM,clipping_planes_pars_fragment:uM,clipping_planes_pars_vertex:fM,clipping_planes_vertex:dM,color_fragment:pM,color_pars_fragment:mM,color_pars_vertex:gM,color_vertex:xM,common:yM,defaultnormal_vertex:_M,displacementmap_pars_vertex:vM,displacementmap_vertex:MM,emissivemap_fragment:bM,emissivemap_pars_fragment:wM,colorspace_fragment:SM,colorspace_pars_fragment:AM,envmap_fragment:TM,envmap_common_pars_fragment:EM,envmap_pars_fragment:CM,envmap_pars_vertex:RM,envmap_physical_pars_fragment:zM,envmap_vertex:PM,fog_vertex:IM,fog_pars_vertex:NM,fog_fragment:LM,fog_pars_fragment:DM,gradientmap_pars_fragment:FM,lightmap_pars_fragment:UM,lights_lambert_fragment:OM,lights_lambert_pars_fragment:kM,lights_pars_begin:BM,lights_toon_fragment:VM,lights_toon_pars_fragment:GM,lights_phong_fragment:HM,lights_phong_pars_fragment:WM,lights_physical_fragment:XM,lights_physical_pars_fragment:qM,lights_fragment_begin:$M,lights_fragment_maps:YM,lights_fragment_end:ZM,lightprobes_pars_fragment:JM,logdepthbuf_fragment:KM,logdepthbuf_pars_fragment:jM,logdepthbuf_pars_vertex:QM,logdepthbuf_vertex:tb,map_fragment:eb,map_pars_fragment:nb,map_particle_fragment:ib,map_particle_pars_fragment:sb,metalnessmap_fragment:rb,metalnessmap_pars_fragment:ob,morphinstance_vertex:ab,morphcolor_vertex:lb,morphnormal_vertex:cb,morphtarget_pars_vertex:hb,morphtarget_vertex:ub,normal_fragment_begin:fb,normal_fragment_maps:db,normal_pars_fragment:pb,normal_pars_vertex:mb,normal_vertex:gb,normalmap_pars_fragment:xb,clearcoat_normal_fragment_begin:yb,clearcoat_normal_fragment_maps:_b,clearcoat_pars_fragment:vb,iridescence_pars_fragment:Mb,opaque_fragment:bb,packing:wb,premultiplied_alpha_fragment:Sb,project_vertex:Ab,dithering_fragment:Tb,dithering_pars_fragment:Eb,roughnessmap_fragment:Cb,roughnessmap_pars_fragment:Rb,shadowmap_pars_fragment:Pb,shadowmap_pars_vertex:Ib,shadowmap_vertex:Nb,shadowmask_pars_fragment:Lb,skinbase_vertex:Db,skinning_pars_vertex:Fb,skinning_vertex:Ub,skinnormal_vertex:Ob,specularmap_fragment:kb,specularmap_pars_fragment:Bb,tonemapping_fragment:zb,tonemapping_pars_fragment:Vb,transmission_fragment:Gb,transmission_pars_fragment:Hb,uv_pars_fragment:Wb,uv_pars_vertex:Xb,uv_vertex:qb,worldpos_vertex:$b,background_vert:Yb,background_frag:Zb,backgroundCube_vert:Jb,backgroundCube_frag:Kb,cube_vert:jb,cube_frag:Qb,depth_vert:tw,depth_frag:ew,distance_vert:nw,distance_frag:iw,equirect_vert:sw,equirect_frag:rw,linedashed_vert:ow,linedashed_frag:aw,meshbasic_vert:lw,meshbasic_frag:cw,meshlambert_vert:hw,meshlambert_frag:uw,meshmatcap_vert:fw,meshmatcap_frag:dw,meshnormal_vert:pw,meshnormal_frag:mw,meshphong_vert:gw,meshphong_frag:xw,meshphysical_vert:yw,meshphysical_frag:_w,meshtoon_vert:vw,meshtoon_frag:Mw,points_vert:bw,points_frag:ww,shadow_vert:Sw,shadow_frag:Aw,sprite_vert:Tw,sprite_frag:Ew},Nt={common:{diffuse:{value:new Jt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Zt},alphaMap:{value:null},alphaMapTransform:{value:new Zt},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Zt}},envmap:{envMap:{value:null},envMapRotation:{value:new Zt},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Zt}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Zt}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Zt},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Zt},normalScale:{value:new ce(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Zt},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Zt}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Zt}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Zt}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Jt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Jt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Zt},alphaTest:{value:0},uvTransform:{value:new Zt}},sprite:{diffuse:{value:new Jt(16777215)},opacity:{value:1},center:{value:new ce(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Zt},alphaMap:{value:null},alphaMapTransform:{value:new Zt},alphaTest:{value:0}}},ts={basic:{uniforms:Bn([Nt.common,Nt.specularmap,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.fog]),vertexShader:de.meshbasic_vert,fragmentShader:de.meshbasic_frag},lambert:{uniforms:Bn([Nt.common,Nt.specularmap,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.fog,Nt.lights,{emissive:{value:new Jt(0)},envMapIntensity:{value:1}}]),vertexShader:de.meshlambert_vert,fragmentShader:de.meshlambert_frag},phong:{uniforms:Bn([Nt.common,Nt.specularmap,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.fog,Nt.lights,{emissive:{value:new Jt(0)},specular:{value:new Jt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:de.meshphong_vert,fragmentShader:de.meshphong_frag},standard:{uniforms:Bn([Nt.common,Nt.envmap,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.roughnessmap,Nt.metalnessmap,Nt.fog,Nt.lights,{emissive:{value:new Jt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:de.meshphysical_vert,fragmentShader:de.meshphysical_frag},toon:{uniforms:Bn([Nt.common,Nt.aomap,Nt.lightmap,Nt.emissivemap,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.gradientmap,Nt.fog,Nt.lights,{emissive:{value:new Jt(0)}}]),vertexShader:de.meshtoon_vert,fragmentShader:de.meshtoon_frag},matcap:{uniforms:Bn([Nt.common,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,Nt.fog,{matcap:{value:null}}]),vertexShader:de.meshmatcap_vert,fragmentShader:de.meshmatcap_frag},points:{uniforms:Bn([Nt.points,Nt.fog]),vertexShader:de.points_vert,fragmentShader:de.points_frag},dashed:{uniforms:Bn([Nt.common,Nt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:de.linedashed_vert,fragmentShader:de.linedashed_frag},depth:{uniforms:Bn([Nt.common,Nt.displacementmap]),vertexShader:de.depth_vert,fragmentShader:de.depth_frag},normal:{uniforms:Bn([Nt.common,Nt.bumpmap,Nt.normalmap,Nt.displacementmap,{opacity:{value:1}}]),vertexShader:de.meshnormal_vert,fragmentShader:de.meshnormal_frag},sprite:{uniforms:Bn([Nt.sprite,Nt.fog]),vertexShader:de.sprite_vert,fragmentShader:de.sprite_frag},background:{uniforms:{uvTransform:{value:new Zt},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:de.background_vert,fragmentShader:de.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Zt}},vertexShader:de.backgroundCube_vert,fragmentShader:de.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:de.cube_vert,fragmentShader:de.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:de.equirect_vert,fragmentShader:de.equirect_frag},distance:{uniforms:Bn([Nt.common,Nt.displacementmap,{referencePosition:{value:new D},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:de.distance_vert,fragmentShader:de.distance_frag},shadow:{uniforms:Bn([Nt.lights,Nt.fog,{color:{value:new Jt(0)},opacity:{value:1}}]),vertexShader:de.shadow_vert,fragmentShader:de.shadow_frag}};ts.physical={uniforms:Bn([ts.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Zt},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Zt},clearcoatNormalScale:{value:new ce(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Zt},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Zt},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Zt},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Zt},sheen:{value:0},sheenColor:{value:new Jt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Zt},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Zt},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Zt},transmissionSamplerSize:{value:new ce},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Zt},attenuationDistance:{value:0},attenuationColor:{value:new Jt(0)},specularColor:{value:new Jt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Zt},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Zt},anisotropyVector:{value:new ce},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Zt}}]),vertexShader:de.meshphysical_vert,fragmentShader:de.meshphysical_frag};var ah={r:0,b:0,g:0},Cw=new Xt,t0=new Zt;t0.set(-1,0,0,0,1,0,0,0,1);function Rw(i,t,e,n,s,r){let o=new Jt(0),a=s===!0?0:1,l,c,h=null,u=0,f=null;function d(_){let b=_.isScene===!0?_.background:null;if(b&&b.isTexture){let x=_.backgroundBlurriness>0;b=t.get(b,x)}return b}function p(_){let b=!1,x=d(_);x===null?g(o,a):x&&x.isColor&&(g(x,1),b=!0);let S=i.xr.getEnvironmentBlendMode();S==="additive"?e.buffers.color.setClear(0,0,0,1,r):S==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(i.autoClear||b)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function v(_,b){let x=d(b);x&&x.isCubeTexture?(c===void 0&&(c=new Re(new Vs(1,1,1),new In({name:"BackgroundCubeMaterial",uniforms:hr(ts.backgroundCube.uniforms),vertexShader:ts.backgroundCube.vertexShader,fragmentShader:ts.backgroundCube.fragmentShader,side:Dn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(S,M,y){this.matrixWorld.copyPosition(y.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=x,c.material.uniforms.backgroundBlurriness.value=b.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=b.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(Cw.makeRotationFromEuler(b.backgroundRotation)).transpose(),x.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(t0),c.material.toneMapped=ve.getTransfer(x.colorSpace)!==Ne,(h!==x||u!==x.version||f!==i.toneMapping)&&(c.material.needsUpdate=!0,h=x,u=x.version,f=i.toneMapping),c.layers.enableAll(),_.unshift(c,c.geometry,c.material,0,0,null)):x&&x.isTexture&&(l===void 0&&(l=new Re(new ys(2,2),new In({name:"BackgroundMaterial",uniforms:hr(ts.background.uniforms),vertexShader:ts.background.vertexShader,fragmentShader:ts.background.fragmentShader,side:Ki,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=x,l.material.uniforms.backgroundIntensity.value=b.backgroundIntensity,l.material.toneMapped=ve.getTransfer(x.colorSpace)!==Ne,x.matrixAutoUpdate===!0&&x.updateMatrix(),l.material.uniforms.uvTransform.value.copy(x.matrix),(h!==x||u!==x.version||f!==i.toneMapping)&&(l.material.needsUpdate=!0,h=x,u=x.version,f=i.toneMapping),l.layers.enableAll(),_.unshift(l,l.geometry,l.material,0,0,null))}function g(_,b){_.getRGB(ah,Jf(i)),e.buffers.color.setClear(ah.r,ah.g,ah.b,b,r)}function m(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(_,b=1){o.set(_),a=b,g(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(_){a=_,g(o,a)},render:p,addToRenderList:v,dispose:m}}function Pw(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=f(null),r=s,o=!1;function a(L,k,F,E,z){let X=!1,V=u(L,E,F,k);r!==V&&(r=V,c(r.object)),X=d(L,E,F,z),X&&p(L,E,F,z),z!==null&&t.update(z,i.ELEMENT_ARRAY_BUFFER),(X||o)&&(o=!1,x(L,k,F,E),z!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(z).buffer))}function l(){return i.createVertexArray()}function c(L){return i.bindVertexArray(L)}function h(L){return i.deleteVertexArray(L)}function u(L,k,F,E){let z=E.wireframe===!0,X=n[k.id];X===void 0&&(X={},n[k.id]=X);let V=L.isInstancedMesh===!0?L.id:0,rt=X[V];rt===void 0&&(rt={},X[V]=rt);let Y=rt[F.id];Y===void 0&&(Y={},rt[F.id]=Y);let K=Y[z];return K===void 0&&(K=f(l()),Y[z]=K),K}function f(L){let k=[],F=[],E=[];for(let z=0;z<e;z++)k[z]=0,F[z]=0,E[z]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:k,enabledAttributes:F,attributeDivisors:E,object:L,attributes:{},index:null}}function d(L,k,F,E){let z=r.attributes,X=k.attributes,V=0,rt=F.getAttributes();for(let Y in rt)if(rt[Y].location>=0){let et=z[Y],ht=X[Y];if(ht===void 0&&(Y==="instanceMatrix"&&L.instanceMatrix&&(ht=L.instanceMatrix),Y==="instanceColor"&&L.instanceColor&&(ht=L.instanceColor)),et===void 0||et.attribute!==ht||ht&&et.data!==ht.data)return!0;V++}return r.attributesNum!==V||r.index!==E}function p(L,k,F,E){let z={},X=k.attributes,V=0,rt=F.getAttributes();for(let Y in rt)if(rt[Y].location>=0){let et=X[Y];et===void 0&&(Y==="instanceMatrix"&&L.instanceMatrix&&(et=L.instanceMatrix),Y==="instanceColor"&&L.instanceColor&&(et=L.instanceColor));let ht={};ht.attribute=et,et&&et.data&&(ht.data=et.data),z[Y]=ht,V++}r.attributes=z,r.attributesNum=V,r.index=E}function v(){let L=r.newAttributes;for(let k=0,F=L.length;k<F;k++)L[k]=0}function g(L){m(L,0)}function m(L,k){let F=r.newAttributes,E=r.enabledAttributes,z=r.attributeDivisors;F[L]=1,E[L]===0&&(i.enableVertexAttribArray(L),E[L]=1),z[L]!==k&&(i.vertexAttribDivisor(L,k),z[L]=k)}function _(){let L=r.newAttributes,k=r.enabledAttributes;for(let F=0,E=k.length;F<E;F++)k[F]!==L[F]&&(i.disableVertexAttribArray(F),k[F]=0)}function b(L,k,F,E,z,X,V){V===!0?i.vertexAttribIPointer(L,k,F,z,X):i.vertexAttribPointer(L,k,F,E,z,X)}function x(L,k,F,E){v();let z=E.attributes,X=F.getAttributes(),V=k.defaultAttributeValues;for(let rt in X){let Y=X[rt];if(Y.location>=0){let K=z[rt];if(K===void 0&&(rt==="instanceMatrix"&&L.instanceMatrix&&(K=L.instanceMatrix),rt==="instanceColor"&&L.instanceColor&&(K=L.instanceColor)),K!==void 0){let et=K.normalized,ht=K.itemSize,at=t.get(K);if(at===void 0)continue;let Q=at.buffer,gt=at.type,xt=at.bytesPerElement,dt=gt===i.INT||gt===i.UNSIGNED_INT||K.gpuType===wc;if(K.isInterleavedBufferAttribute){let _t=K.data,Gt=_t.isInterleavedBuffer===!0?_t.stride:_t.itemSize,jt=K.offset;if(_t.isInstancedInterleavedBuffer||_t.isInstancedBufferAttribute){for(let Ut=0;Ut<Y.locationSize;Ut++)m(Y.location+Ut,_t.meshPerAttribute);L.isInstancedMesh!==!0&&E._maxInstanceCount===void 0&&(E._maxInstanceCount=_t.meshPerAttribute*_t.count)}else for(let Ut=0;Ut<Y.locationSize;Ut++)g(Y.location+Ut);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let Ut=0;Ut<Y.locationSize;Ut++)b(Y.location+Ut,ht/Y.locationSize,gt,et,Gt*xt,(jt+ht/Y.locationSize*Ut)*xt,dt)}else{if(K.isInstancedBufferAttribute){for(let _t=0;_t<Y.locationSize;_t++)m(Y.location+_t,K.meshPerAttribute);L.isInstancedMesh!==!0&&E._maxInstanceCount===void 0&&(E._maxInstanceCount=K.meshPerAttribute*K.count)}else for(let _t=0;_t<Y.locationSize;_t++)g(Y.location+_t);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let _t=0;_t<Y.locationSize;_t++)b(Y.location+_t,ht/Y.locationSize,gt,et,ht*xt,ht/Y.locationSize*_t*xt,dt)}}else if(V!==void 0){let et=V[rt];if(et!==void 0)switch(et.length){case 2:i.vertexAttrib2fv(Y.location,et);break;case 3:i.vertexAttrib3fv(Y.location,et);break;case 4:i.vertexAttrib4fv(Y.location,et);break;default:i.vertexAttrib1fv(Y.location,et)}}}}_()}function S(){I();for(let L in n){let k=n[L];for(let F in k){let E=k[F];for(let z in E){let X=E[z];for(let V in X)h(X[V].object),delete X[V];delete E[z]}}delete n[L]}}function M(L){if(n[L.id]===void 0)return;let k=n[L.id];for(let F in k){let E=k[F];for(let z in E){let X=E[z];for(let V in X)h(X[V].object),delete X[V];delete E[z]}}delete n[L.id]}function y(L){for(let k in n){let F=n[k];for(let E in F){let z=F[E];if(z[L.id]===void 0)continue;let X=z[L.id];for(let V in X)h(X[V].object),delete X[V];delete z[L.id]}}}function w(L){for(let k in n){let F=n[k],E=L.isInstancedMesh===!0?L.id:0,z=F[E];if(z!==void 0){for(let X in z){let V=z[X];for(let rt in V)h(V[rt].object),delete V[rt];delete z[X]}delete F[E],Object.keys(F).length===0&&delete n[k]}}}function I(){C(),o=!0,r!==s&&(r=s,c(r.object))}function C(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:I,resetDefaultState:C,dispose:S,releaseStatesOfGeometry:M,releaseStatesOfObject:w,releaseStatesOfProgram:y,initAttributes:v,enableAttribute:g,disableUnusedAttributes:_}}function Iw(i,t,e){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),e.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),e.update(c,n,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let f=0;for(let d=0;d<h;d++)f+=c[d];e.update(f,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function Nw(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let y=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(y.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(y){return!(y!==Ui&&n.convert(y)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(y){let w=y===pi&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(y!==di&&y!==wi&&!w&&n.convert(y)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(y){if(y==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";y="mediump"}return y==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(Yt("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),f=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&Yt("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&Yt("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let d=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),p=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),v=i.getParameter(i.MAX_TEXTURE_SIZE),g=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),m=i.getParameter(i.MAX_VERTEX_ATTRIBS),_=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),b=i.getParameter(i.MAX_VARYING_VECTORS),x=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),S=i.getParameter(i.MAX_SAMPLES),M=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:f,reversedDepthBuffer:u,maxTextures:d,maxVertexTextures:p,maxTextureSize:v,maxCubemapSize:g,maxAttributes:m,maxVertexUniforms:_,maxVaryings:b,maxFragmentUniforms:x,maxSamples:S,samples:M}}function Lw(i){let t=this,e=null,n=0,s=!1,r=!1,o=new Li,a=new Zt,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,f){let d=u.length!==0||f||n!==0||s;return s=f,n=u.length,d},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,f){e=h(u,f,0)},this.setState=function(u,f,d){let p=u.clippingPlanes,v=u.clipIntersection,g=u.clipShadows,m=i.get(u);if(!s||p===null||p.length===0||r&&!g)r?h(null):c();else{let _=r?0:n,b=_*4,x=m.clippingState||null;l.value=x,x=h(p,f,b,d);for(let S=0;S!==b;++S)x[S]=e[S];m.clippingState=x,this.numIntersection=v?this.numPlanes:0,this.numPlanes+=_}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(u,f,d,p){let v=u!==null?u.length:0,g=null;if(v!==0){if(g=l.value,p!==!0||g===null){let m=d+v*4,_=f.matrixWorldInverse;a.getNormalMatrix(_),(g===null||g.length<m)&&(g=new Float32Array(m));for(let b=0,x=d;b!==v;++b,x+=4)o.copy(u[b]).applyMatrix4(_,a),o.normal.toArray(g,x),g[x+3]=o.constant}l.value=g,l.needsUpdate=!0}return t.numPlanes=v,t.numIntersection=0,g}}var Da=class extends Zn{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new la(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Vs(5,5,5),r=new In({name:"CubemapFromEquirect",uniforms:hr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Dn,blending:_s});r.uniforms.tEquirect.value=e;let o=new Re(s,r),a=e.minFilter;return e.minFilter===Ms&&(e.minFilter=$n),new io(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,n=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}},Ng=256,Dw=3,Fw=20,e0=256,n0=16,Uw=3,Ow=new D,kw=new Jt,ch=class i{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new io(1,10,null),this._boxMesh=new Re(new Vs(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,n=.1,s=100,r={}){let{size:o=256,position:a=Ow}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,f=l.autoClearColor,d=l.autoClearDepth,p=l.autoClearStencil,v=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,v===null&&(t.background=l.getClearColor(kw));let g=new io(n,s,h);return g.position.copy(a),g.update(l,t),l.autoClear=u,l.autoClearColor=f,l.autoClearDepth=d,l.autoClearStencil=p,t.background=v,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Fg(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Dg(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(Ng,Eg(t))}_fromTexture(t,e){t.mapping===lr||t.mapping===oo?this._setSize(t.image.length===0?Ng:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let n=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(n),n}_allocateTarget(){let t=this._cubeSize,e=Lg(t,!1,!1),n=Math.log2(t)-Dw;for(let s=0;s<=n;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==e||t&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Lg(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===lr||t.mapping===oo?(this._cubemapMaterial===null&&(this._cubemapMaterial=Fg()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Dg()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Bw(),this._integrationMaterial=zw());let e=this._cubeSize,n=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/n0);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-Uw)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(e0*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=Vw());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,n),s.envMap.value=t.texture,this._renderCube(r,0,n)}};function Lg(i,t,e){return new Da(i,{minFilter:Ms,generateMipmaps:t,type:pi,colorSpace:Ko,depthBuffer:e})}function Fa(i,t,e){return new In({name:i,uniforms:t,vertexShader:de.cube_vert,fragmentShader:e,side:Dn,blending:_s,depthTest:!1,depthWrite:!1})}function Bw(){return Fa("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${e0}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function zw(){return Fa("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:n0}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Vw(){return Fa("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${Fw}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Dg(){return Fa("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function Fg(){return Fa("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function Gw(i){let t=new WeakMap,e=new WeakMap,n=null;function s(f,d=!1){return f==null?null:d?o(f):r(f)}function r(f){if(f&&f.isTexture){let d=f.mapping;if(d===vc||d===Mc)if(t.has(f)){let p=t.get(f).texture;return a(p,f.mapping)}else{let p=f.image;if(p&&p.height>0){let v=new Da(p.height);return v.fromEquirectangularTexture(i,f),t.set(f,v),f.addEventListener("dispose",c),a(v.texture,f.mapping)}else return null}}return f}function o(f){if(f&&f.isTexture&&f.isPMREMTexture!==!0){let d=f.mapping,p=d===vc||d===Mc,v=d===lr||d===oo;if(p||v){let g=e.get(f),m=g!==void 0?g.texture.pmremVersion:0;if(f.isRenderTargetTexture&&f.pmremVersion!==m)return n===null&&(n=new ch(i)),g=p?n.fromEquirectangular(f,g):n.fromCubemap(f,g),g.texture.pmremVersion=f.pmremVersion,e.set(f,g),g.texture;if(g!==void 0)return g.texture;{let _=f.image;return p&&_&&_.height>0||v&&_&&l(_)?(n===null&&(n=new ch(i)),g=p?n.fromEquirectangular(f):n.fromCubemap(f),g.texture.pmremVersion=f.pmremVersion,e.set(f,g),f.addEventListener("dispose",h),g.texture):null}}}return f}function a(f,d){return d===vc?f.mapping=lr:d===Mc&&(f.mapping=oo),f}function l(f){let d=0,p=6;for(let v=0;v<p;v++)f[v]!==void 0&&d++;return d===p}function c(f){let d=f.target;d.removeEventListener("dispose",c);let p=t.get(d);p!==void 0&&(t.delete(d),p.dispose())}function h(f){let d=f.target;d.removeEventListener("dispose",h);let p=e.get(d);p!==void 0&&(e.delete(d),p.dispose())}function u(){t=new WeakMap,e=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function Hw(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s=i.getExtension(n);return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&Zo("WebGLRenderer: "+n+" extension not supported."),s}}}function Ww(i,t,e,n){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){l(p.target)}function l(p){p.index!==null&&t.remove(p.index);for(let g in p.attributes)t.remove(p.attributes[g]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let v=r.get(p);v&&(t.remove(v),r.delete(p)),n.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,e.memory.geometries--}function c(p,v){return s[v.id]!==void 0||(v.addEventListener("dispose",a),s[v.id]=new WeakRef(v),o.register(v,v.id,v),e.memory.geometries++),v}function h(p){let v=p.attributes;for(let g in v)t.update(v[g],i.ARRAY_BUFFER)}function u(p){let v=p.index,g=p.attributes.position,m=0;if(g===void 0)return;let _=v!==null?v.array.length:g.array.length/3-1,b=g.count>=65535?sa:ia,x=new b(Math.ceil(_/3)*6,1),S=x.array;if(v!==null){let y=v.array;m=v.version;for(let w=0,I=0;w<_;w+=3){let C=y[w+0],L=y[w+1],k=y[w+2];S[I++]=C,S[I++]=L,S[I++]=L,S[I++]=k,S[I++]=k,S[I++]=C}}else{m=g.version;for(let y=0,w=0;y<_;y+=3){let I=y+0,C=y+1,L=y+2;S[w++]=I,S[w++]=C,S[w++]=C,S[w++]=L,S[w++]=L,S[w++]=I}}x.version=m;let M=r.get(p);M&&t.remove(M),r.set(p,x)}function f(p){let v=r.get(p);if(v){let g=p.index;g!==null&&v.version<g.version&&u(p)}else u(p);return r.get(p)}function d(){for(let p in s){let v=s[p].deref();v!==void 0&&l(v)}}return{get:c,update:h,getWireframeAttribute:f,dispose:d}}function Xw(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,f){i.drawElements(n,f,r,u*o),e.update(f,n,1)}function c(u,f,d){d!==0&&(i.drawElementsInstanced(n,f,r,u*o,d),e.update(f,n,d))}function h(u,f,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,f,0,r,u,0,d);let v=0;for(let g=0;g<d;g++)v+=f[g];e.update(v,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function qw(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:ee("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function $w(i,t,e){let n=new WeakMap,s=new Ce;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,f=n.get(a);if(f===void 0||f.count!==u){let I=function(){y.dispose(),n.delete(a),a.removeEventListener("dispose",I)};f!==void 0&&f.texture.dispose();let d=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,v=a.morphAttributes.color!==void 0,g=a.morphAttributes.position||[],m=a.morphAttributes.normal||[],_=a.morphAttributes.color||[],b=0;d===!0&&(b=1),p===!0&&(b=2),v===!0&&(b=3);let x=a.attributes.position.count*b,S=1;x>t.maxTextureSize&&(S=Math.ceil(x/t.maxTextureSize),x=t.maxTextureSize);let M=new Float32Array(x*S*4*u),y=new ea(M,x,S,u);y.type=wi,y.needsUpdate=!0;let w=b*4;for(let C=0;C<u;C++){let L=g[C],k=m[C],F=_[C],E=x*S*4*C;for(let z=0;z<L.count;z++){let X=z*w;d===!0&&(s.fromBufferAttribute(L,z),M[E+X+0]=s.x,M[E+X+1]=s.y,M[E+X+2]=s.z,M[E+X+3]=0),p===!0&&(s.fromBufferAttribute(k,z),M[E+X+4]=s.x,M[E+X+5]=s.y,M[E+X+6]=s.z,M[E+X+7]=0),v===!0&&(s.fromBufferAttribute(F,z),M[E+X+8]=s.x,M[E+X+9]=s.y,M[E+X+10]=s.z,M[E+X+11]=F.itemSize===4?s.w:1)}}f={count:u,texture:y,size:new ce(x,S)},n.set(a,f),a.addEventListener("dispose",I)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let d=0;for(let v=0;v<c.length;v++)d+=c[v];let p=a.morphTargetsRelative?1:1-d;l.getUniforms().setValue(i,"morphTargetBaseInfluence",p),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",f.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",f.size)}return{update:r}}function Yw(i,t,e,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,f=t.get(c,u);if(r.get(f)!==h&&(t.update(f),r.set(f,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let d=c.skeleton;r.get(d)!==h&&(d.update(),r.set(d,h))}return f}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var Zw={[Cf]:"LINEAR_TONE_MAPPING",[Rf]:"REINHARD_TONE_MAPPING",[Pf]:"CINEON_TONE_MAPPING",[If]:"ACES_FILMIC_TONE_MAPPING",[Lf]:"AGX_TONE_MAPPING",[Df]:"NEUTRAL_TONE_MAPPING",[Nf]:"CUSTOM_TONE_MAPPING"};function Jw(i,t,e,n,s,r){let o=new Zn(t,e,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new ge;h.setAttribute("position",new Le([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new Le([0,2,0,0,2,0],2));let u=new oc({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new Re(h,u),d=new no(-1,1,1,-1,0,1),p=null,v=null,g=!1,m,_=null,b=[],x=!1;this.setSize=function(S,M){o.setSize(S,M),a!==null&&a.setSize(S,M),l!==null&&l.setSize(S,M);for(let y=0;y<b.length;y++){let w=b[y];w.setSize&&w.setSize(S,M)}},this.setEffects=function(S){b=S,x=b.length>0&&b[0].isRenderPass===!0;let M=o.width,y=o.height;b.length>0&&a===null&&(a=new Zn(M,y,{type:pi,depthBuffer:!1,stencilBuffer:!1}),l=new Zn(M,y,{type:pi,depthBuffer:!1,stencilBuffer:!1}));let w=s===!0&&b.some(I=>I.needsDepthTexture===!0);w!==(o.depthTexture!==null)&&(w===!0&&c===null&&(c=new gs(M,y),r===!0&&(c.format=bs,c.type=cr)),o.dispose(),o.depthTexture=w?c:null,o.resolveDepthBuffer=w,o.storeMultisampledDepthBuffer=w);for(let I=0;I<b.length;I++){let C=b[I];C.setSize&&C.setSize(M,y),w&&C.needsDepthTexture===!0&&C.setDepthTexture&&C.setDepthTexture(c)}},this.begin=function(S,M){if(g||S.toneMapping===ji&&b.length===0)return!1;if(_=M,M!==null){let y=M.width,w=M.height;(o.width!==y||o.height!==w)&&this.setSize(y,w)}return x===!1&&S.setRenderTarget(o),m=S.toneMapping,S.toneMapping=ji,!0},this.hasRenderPass=function(){return x},this.end=function(S,M){S.toneMapping=m,g=!0;let y=o,w=a;for(let I=0;I<b.length;I++){let C=b[I];C.enabled!==!1&&(C.render(S,w,y,M),C.needsSwap!==!1&&(y=w,w=w===a?l:a))}if(p!==S.outputColorSpace||v!==S.toneMapping){p=S.outputColorSpace,v=S.toneMapping,u.defines={},ve.getTransfer(p)===Ne&&(u.defines.SRGB_TRANSFER="");let I=Zw[v];I&&(u.defines[I]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=y.texture,S.setRenderTarget(_),S.render(f,d),_=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var i0=new Yn,s0=new gs(1,1),r0=new ca(1),o0=new ea,a0=new ec,l0=new la,Ug=[],Og=[],kg=new Float32Array(16),Bg=new Float32Array(9),zg=new Float32Array(4);function co(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=Ug[s];if(r===void 0&&(r=new Float32Array(s),Ug[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function vn(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function Mn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function uh(i,t){let e=Og[t];e===void 0&&(e=new Int32Array(t),Og[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function Kw(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function jw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(vn(e,t))return;i.uniform2fv(this.addr,t),Mn(e,t)}}function Qw(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(vn(e,t))return;i.uniform3fv(this.addr,t),Mn(e,t)}}function tS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(vn(e,t))return;i.uniform4fv(this.addr,t),Mn(e,t)}}function eS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(vn(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),Mn(e,t)}else{if(vn(e,n))return;zg.set(n),i.uniformMatrix2fv(this.addr,!1,zg),Mn(e,n)}}function nS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(vn(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),Mn(e,t)}else{if(vn(e,n))return;Bg.set(n),i.uniformMatrix3fv(this.addr,!1,Bg),Mn(e,n)}}function iS(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(vn(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),Mn(e,t)}else{if(vn(e,n))return;kg.set(n),i.uniformMatrix4fv(this.addr,!1,kg),Mn(e,n)}}function sS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function rS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(vn(e,t))return;i.uniform2iv(this.addr,t),Mn(e,t)}}function oS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(vn(e,t))return;i.uniform3iv(this.addr,t),Mn(e,t)}}function aS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(vn(e,t))return;i.uniform4iv(this.addr,t),Mn(e,t)}}function lS(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function cS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(vn(e,t))return;i.uniform2uiv(this.addr,t),Mn(e,t)}}function hS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(vn(e,t))return;i.uniform3uiv(this.addr,t),Mn(e,t)}}function uS(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(vn(e,t))return;i.uniform4uiv(this.addr,t),Mn(e,t)}}function fh(i){return i.version===0&&(i.compareFunction=qf,i.needsUpdate=!0),i}function fS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=fh(s0):r=i0,e.setTexture2D(t||r,s)}function dS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||a0,s)}function pS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=fh(r0):r=l0,e.setTextureCube(t||r,s)}function mS(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||o0,s)}function gS(i){switch(i){case 5126:return Kw;case 35664:return jw;case 35665:return Qw;case 35666:return tS;case 35674:return eS;case 35675:return nS;case 35676:return iS;case 5124:case 35670:return sS;case 35667:case 35671:return rS;case 35668:case 35672:return oS;case 35669:case 35673:return aS;case 5125:return lS;case 36294:return cS;case 36295:return hS;case 36296:return uS;case 35678:case 36198:case 36298:case 36306:case 35682:return fS;case 35679:case 36299:case 36307:return dS;case 35680:case 36300:case 36308:case 36293:return pS;case 36289:case 36303:case 36311:case 36292:return mS}}function xS(i,t){i.uniform1fv(this.addr,t)}function yS(i,t){let e=co(t,this.size,2);i.uniform2fv(this.addr,e)}function _S(i,t){let e=co(t,this.size,3);i.uniform3fv(this.addr,e)}function vS(i,t){let e=co(t,this.size,4);i.uniform4fv(this.addr,e)}function MS(i,t){let e=co(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function bS(i,t){let e=co(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function wS(i,t){let e=co(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function SS(i,t){i.uniform1iv(this.addr,t)}function AS(i,t){i.uniform2iv(this.addr,t)}function TS(i,t){i.uniform3iv(this.addr,t)}function ES(i,t){i.uniform4iv(this.addr,t)}function CS(i,t){i.uniform1uiv(this.addr,t)}function RS(i,t){i.uniform2uiv(this.addr,t)}function PS(i,t){i.uniform3uiv(this.addr,t)}function IS(i,t){i.uniform4uiv(this.addr,t)}function NS(i,t,e){let n=this.cache,s=t.length,r=uh(e,s);vn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=fh(s0):o=i0;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function LS(i,t,e){let n=this.cache,s=t.length,r=uh(e,s);vn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||a0,r[o])}function DS(i,t,e){let n=this.cache,s=t.length,r=uh(e,s);vn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=fh(r0):o=l0;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function FS(i,t,e){let n=this.cache,s=t.length,r=uh(e,s);vn(n,r)||(i.uniform1iv(this.addr,r),Mn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||o0,r[o])}function US(i){switch(i){case 5126:return xS;case 35664:return yS;case 35665:return _S;case 35666:return vS;case 35674:return MS;case 35675:return bS;case 35676:return wS;case 5124:case 35670:return SS;case 35667:case 35671:return AS;case 35668:case 35672:return TS;case 35669:case 35673:return ES;case 5125:return CS;case 36294:return RS;case 36295:return PS;case 36296:return IS;case 35678:case 36198:case 36298:case 36306:case 35682:return NS;case 35679:case 36299:case 36307:return LS;case 35680:case 36300:case 36308:case 36293:return DS;case 36289:case 36303:case 36311:case 36292:return FS}}var nd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=gS(e.type)}},id=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=US(e.type)}},sd=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},td=/(\w+)(\])?(\[|\.)?/g;function Vg(i,t){i.seq.push(t),i.map[t.id]=t}function OS(i,t,e){let n=i.name,s=n.length;for(td.lastIndex=0;;){let r=td.exec(n),o=td.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){Vg(e,c===void 0?new nd(a,i,t):new id(a,i,t));break}else{let u=e.map[a];u===void 0&&(u=new sd(a),Vg(e,u)),e=u}}}var lo=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);OS(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function Gg(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var kS=37297,BS=0;function zS(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var Hg=new Zt;function VS(i){ve._getMatrix(Hg,ve.workingColorSpace,i);let t=`mat3( ${Hg.elements.map(e=>e.toFixed(4))} )`;switch(ve.getTransfer(i)){case jo:return[t,"LinearTransferOETF"];case Ne:return[t,"sRGBTransferOETF"];default:return Yt("WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function Wg(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),r=(i.getShaderInfoLog(t)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+zS(i.getShaderSource(t),a)}else return r}function GS(i,t){let e=VS(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var HS={[Cf]:"Linear",[Rf]:"Reinhard",[Pf]:"Cineon",[If]:"ACESFilmic",[Lf]:"AgX",[Df]:"Neutral",[Nf]:"Custom"};function WS(i,t){let e=HS[t];return e===void 0?(Yt("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var lh=new D;function XS(){ve.getLuminanceCoefficients(lh);let i=lh.x.toFixed(4),t=lh.y.toFixed(4),e=lh.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function qS(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(La).join(`
`)}function $S(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function YS(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function La(i){return i!==""}function Xg(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function qg(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var ZS=/^[ \t]*#include +<([\w\d./]+)>/gm;function rd(i){return i.replace(ZS,JS)}function JS(i,t){let e=de[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return rd(e)}var KS=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function $g(i){return i.replace(KS,jS)}function jS(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Yg(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var QS={[_a]:"SHADOWMAP_TYPE_PCF",[so]:"SHADOWMAP_TYPE_VSM"};function t1(i){return QS[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var e1={[oo]:"ENVMAP_MODE_REFRACTION"};function n1(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":e1[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var i1={[Ef]:"ENVMAP_BLENDING_MULTIPLY",[fg]:"ENVMAP_BLENDING_MIX",[dg]:"ENVMAP_BLENDING_ADD"};function s1(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":i1[i.combine]||"ENVMAP_BLENDING_NONE"}function r1(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=t1(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=n1(e),u=s1(e),f=qS(e),d=$S(r),p=s.createProgram(),v,g,m=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(v=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(La).join(`
`),v.length>0&&(v+=`
`),g=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d].filter(La).join(`
`),g.length>0&&(g+=`
`)):(v=[Yg(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(La).join(`
`),g=[Yg(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,d,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==ji?"#define TONE_MAPPING":"",e.toneMapping!==ji?de.tonemapping_pars_fragment:"",e.toneMapping!==ji?WS("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",de.colorspace_pars_fragment,GS("linearToOutputTexel",e.outputColorSpace),XS(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(La).join(`
`)),o=rd(o),o=Xg(o,e),o=qg(o,e),a=rd(a),a=Xg(a,e),a=qg(a,e),o=$g(o),a=$g(a),e.isRawShaderMaterial!==!0&&(m=`#version 300 es
`,v=[f,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+v,g=["#define varying in",e.glslVersion===$f?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===$f?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+g);let _=m+v+o,b=m+g+a,x=Gg(s,s.VERTEX_SHADER,_),S=Gg(s,s.FRAGMENT_SHADER,b);s.attachShader(p,x),s.attachShader(p,S),e.index0AttributeName!==void 0?s.bindAttribLocation(p,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function M(C){if(i.debug.checkShaderErrors){let L=s.getProgramInfoLog(p)||"",k=s.getShaderInfoLog(x)||"",F=s.getShaderInfoLog(S)||"",E=L.trim(),z=k.trim(),X=F.trim(),V=!0,rt=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(V=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,p,x,S);else{let Y=Wg(s,x,"vertex"),K=Wg(s,S,"fragment");ee("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`

Material Name: `+C.name+`
Material Type: `+C.type+`

Program Info Log: `+E+`
`+Y+`
`+K)}else E!==""?Yt("WebGLProgram: Program Info Log:",E):(z===""||X==="")&&(rt=!1);rt&&(C.diagnostics={runnable:V,programLog:E,vertexShader:{log:z,prefix:v},fragmentShader:{log:X,prefix:g}})}s.deleteShader(x),s.deleteShader(S),y=new lo(s,p),w=YS(s,p)}let y;this.getUniforms=function(){return y===void 0&&M(this),y};let w;this.getAttributes=function(){return w===void 0&&M(this),w};let I=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return I===!1&&(I=s.getProgramParameter(p,kS)),I},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=BS++,this.cacheKey=t,this.usedTimes=1,this.program=p,this.vertexShader=x,this.fragmentShader=S,this}var o1=0,od=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,n){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new ad(t),e.set(t,n)),n}},ad=class{constructor(t){this.id=o1++,this.code=t,this.usedTimes=0}};function a1(i){return i===Xs||i===Ea||i===Ca}function l1(i,t,e,n,s,r){let o=new Qr,a=new od,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,f={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function d(y){return l.add(y),y===0?"uv":`uv${y}`}function p(y,w,I,C,L,k){let F=C.fog,E=L.geometry,z=y.isMeshStandardMaterial||y.isMeshLambertMaterial||y.isMeshPhongMaterial?C.environment:null,X=y.isMeshStandardMaterial||y.isMeshLambertMaterial&&!y.envMap||y.isMeshPhongMaterial&&!y.envMap,V=t.get(y.envMap||z,X),rt=f[y.type],Y=n.precision;y.precision!==null&&(Y=n.getMaxPrecision(y.precision),Y!==y.precision&&Yt("WebGLProgram.getParameters:",y.precision,"not supported, using",Y,"instead."));let K=E.morphAttributes.position||E.morphAttributes.normal||E.morphAttributes.color,et=K!==void 0?K.length:0,ht=0;E.morphAttributes.position!==void 0&&(ht=1),E.morphAttributes.normal!==void 0&&(ht=2),E.morphAttributes.color!==void 0&&(ht=3);let at,Q,gt,xt;if(rt){let Ct=ts[rt];at=Ct.vertexShader,Q=Ct.fragmentShader}else{at=y.vertexShader,Q=y.fragmentShader;let Ct=a.getVertexShaderStage(y),he=a.getFragmentShaderStage(y);a.update(y,Ct,he),gt=Ct.id,xt=he.id}let dt=i.getRenderTarget(),_t=i.state.buffers.depth.getReversed(),Gt=L.isInstancedMesh===!0,jt=L.isBatchedMesh===!0,Ut=!!y.map,ae=!!y.matcap,le=!!V,ie=le&&V.isPMREMTexture===!0,xe=!!y.aoMap,we=!!y.lightMap,tn=!!y.bumpMap&&y.wireframe===!1,ke=!!y.normalMap,An=!!y.displacementMap,Se=!!y.emissiveMap,yn=!!y.metalnessMap,en=!!y.roughnessMap,cn=y.anisotropy>0,H=y.clearcoat>0,Rt=y.diffuseRoughness>0,$t=y.dispersion>0,oe=y.retroreflectivity>0,St=y.iridescence>0,Ve=y.sheen>0,Vt=y.transmission>0,qt=cn&&!!y.anisotropyMap,U=H&&!!y.clearcoatMap,T=H&&!!y.clearcoatNormalMap,$=H&&!!y.clearcoatRoughnessMap,ft=Rt&&!!y.diffuseRoughnessMap,lt=St&&!!y.iridescenceMap,vt=St&&!!y.iridescenceThicknessMap,Mt=Ve&&!!y.sheenColorMap,nt=Ve&&!!y.sheenRoughnessMap,st=!!y.specularMap,mt=!!y.specularColorMap,G=!!y.specularIntensityMap,ot=Vt&&!!y.transmissionMap,it=Vt&&!!y.thicknessMap,At=!!y.gradientMap,yt=!!y.alphaMap,wt=y.alphaTest>0,Ht=!!y.alphaHash,Qt=!!y.extensions,ut=ji;y.toneMapped&&(dt===null||dt.isXRRenderTarget===!0)&&(ut=i.toneMapping);let kt=ie?V.isCompressedCubeTexture?V.image[0].mipmaps:V.mipmaps:null,te={shaderID:rt,shaderType:y.type,shaderName:y.name,vertexShader:at,fragmentShader:Q,defines:y.defines,customVertexShaderID:gt,customFragmentShaderID:xt,isRawShaderMaterial:y.isRawShaderMaterial===!0,glslVersion:y.glslVersion,precision:Y,batching:jt,batchingColor:jt&&L._colorsTexture!==null,instancing:Gt,instancingColor:Gt&&L.instanceColor!==null,instancingMorph:Gt&&L.morphTexture!==null,outputColorSpace:dt===null?i.outputColorSpace:dt.isXRRenderTarget===!0?dt.texture.colorSpace:ve.workingColorSpace,alphaToCoverage:!!y.alphaToCoverage,map:Ut,matcap:ae,envMap:le,envMapMode:le&&V.mapping,envMapPMREM:ie,envMapMaxLod:ie?kt.length-1:null,envMapSize:ie?kt[0].width:null,aoMap:xe,lightMap:we,bumpMap:tn,normalMap:ke,displacementMap:An,emissiveMap:Se,normalMapObjectSpace:ke&&y.normalMapType===gg,normalMapTangentSpace:ke&&y.normalMapType===Gf,packedNormalMap:ke&&y.normalMapType===Gf&&a1(y.normalMap.format),metalnessMap:yn,roughnessMap:en,anisotropy:cn,anisotropyMap:qt,clearcoat:H,clearcoatMap:U,clearcoatNormalMap:T,clearcoatRoughnessMap:$,diffuseRoughness:Rt,diffuseRoughnessMap:ft,dispersion:$t,retroreflection:oe,iridescence:St,iridescenceMap:lt,iridescenceThicknessMap:vt,sheen:Ve,sheenColorMap:Mt,sheenRoughnessMap:nt,specularMap:st,specularColorMap:mt,specularIntensityMap:G,transmission:Vt,transmissionMap:ot,thicknessMap:it,gradientMap:At,opaque:y.transparent===!1&&y.blending===ro&&y.alphaToCoverage===!1,alphaMap:yt,alphaTest:wt,alphaHash:Ht,combine:y.combine,mapUv:Ut&&d(y.map.channel),aoMapUv:xe&&d(y.aoMap.channel),lightMapUv:we&&d(y.lightMap.channel),bumpMapUv:tn&&d(y.bumpMap.channel),normalMapUv:ke&&d(y.normalMap.channel),displacementMapUv:An&&d(y.displacementMap.channel),emissiveMapUv:Se&&d(y.emissiveMap.channel),metalnessMapUv:yn&&d(y.metalnessMap.channel),roughnessMapUv:en&&d(y.roughnessMap.channel),anisotropyMapUv:qt&&d(y.anisotropyMap.channel),clearcoatMapUv:U&&d(y.clearcoatMap.channel),clearcoatNormalMapUv:T&&d(y.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:$&&d(y.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ft&&d(y.diffuseRoughnessMap.channel),iridescenceMapUv:lt&&d(y.iridescenceMap.channel),iridescenceThicknessMapUv:vt&&d(y.iridescenceThicknessMap.channel),sheenColorMapUv:Mt&&d(y.sheenColorMap.channel),sheenRoughnessMapUv:nt&&d(y.sheenRoughnessMap.channel),specularMapUv:st&&d(y.specularMap.channel),specularColorMapUv:mt&&d(y.specularColorMap.channel),specularIntensityMapUv:G&&d(y.specularIntensityMap.channel),transmissionMapUv:ot&&d(y.transmissionMap.channel),thicknessMapUv:it&&d(y.thicknessMap.channel),alphaMapUv:yt&&d(y.alphaMap.channel),vertexTangents:!!E.attributes.tangent&&(ke||cn),vertexNormals:!!E.attributes.normal,vertexColors:y.vertexColors,vertexAlphas:y.vertexColors===!0&&!!E.attributes.color&&E.attributes.color.itemSize===4,pointsUvs:L.isPoints===!0&&!!E.attributes.uv&&(Ut||yt),fog:!!F,useFog:y.fog===!0,fogExp2:!!F&&F.isFogExp2,flatShading:y.wireframe===!1&&(y.flatShading===!0||E.attributes.normal===void 0&&ke===!1&&(y.isMeshLambertMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isMeshPhysicalMaterial)),sizeAttenuation:y.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:_t,skinning:L.isSkinnedMesh===!0,hasPositionAttribute:E.attributes.position!==void 0,morphTargets:E.morphAttributes.position!==void 0,morphNormals:E.morphAttributes.normal!==void 0,morphColors:E.morphAttributes.color!==void 0,morphTargetsCount:et,morphTextureStride:ht,numSunLights:w.sun.length,numDirLights:w.directional.length,numPointLights:w.point.length,numSpotLights:w.spot.length,numSpotLightMaps:w.spotLightMap.length,numRectAreaLights:w.rectArea.length,numHemiLights:w.hemi.length,numSunLightShadows:w.sunShadowMap.length,numDirLightShadows:w.directionalShadowMap.length,numPointLightShadows:w.pointShadowMap.length,numSpotLightShadows:w.spotShadowMap.length,numSpotLightShadowsWithMaps:w.numSpotLightShadowsWithMaps,numLightProbes:w.numLightProbes,numLightProbeGrids:k.filter(Ct=>Ct.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:y.dithering,shadowMapEnabled:i.shadowMap.enabled&&I.length>0,shadowMapType:i.shadowMap.type,toneMapping:ut,decodeVideoTexture:Ut&&y.map.isVideoTexture===!0&&ve.getTransfer(y.map.colorSpace)===Ne,decodeVideoTextureEmissive:Se&&y.emissiveMap.isVideoTexture===!0&&ve.getTransfer(y.emissiveMap.colorSpace)===Ne,premultipliedAlpha:y.premultipliedAlpha,doubleSided:y.side===ti,flipSided:y.side===Dn,useDepthPacking:y.depthPacking>=0,depthPacking:y.depthPacking||0,index0AttributeName:y.index0AttributeName,extensionClipCullDistance:Qt&&y.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Qt&&y.extensions.multiDraw===!0||jt)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:y.customProgramCacheKey()};return te.vertexUv1s=l.has(1),te.vertexUv2s=l.has(2),te.vertexUv3s=l.has(3),l.clear(),te}function v(y){let w=[];if(y.shaderID?w.push(y.shaderID):(w.push(y.customVertexShaderID),w.push(y.customFragmentShaderID)),y.defines!==void 0)for(let I in y.defines)w.push(I),w.push(y.defines[I]);return y.isRawShaderMaterial===!1&&(g(w,y),m(w,y),w.push(i.outputColorSpace)),w.push(y.customProgramCacheKey),w.join()}function g(y,w){y.push(w.precision),y.push(w.outputColorSpace),y.push(w.envMapMode),y.push(w.envMapPMREM),y.push(w.envMapMaxLod),y.push(w.envMapSize),y.push(w.mapUv),y.push(w.alphaMapUv),y.push(w.lightMapUv),y.push(w.aoMapUv),y.push(w.bumpMapUv),y.push(w.normalMapUv),y.push(w.displacementMapUv),y.push(w.emissiveMapUv),y.push(w.metalnessMapUv),y.push(w.roughnessMapUv),y.push(w.anisotropyMapUv),y.push(w.clearcoatMapUv),y.push(w.clearcoatNormalMapUv),y.push(w.clearcoatRoughnessMapUv),y.push(w.diffuseRoughnessMapUv),y.push(w.iridescenceMapUv),y.push(w.iridescenceThicknessMapUv),y.push(w.sheenColorMapUv),y.push(w.sheenRoughnessMapUv),y.push(w.specularMapUv),y.push(w.specularColorMapUv),y.push(w.specularIntensityMapUv),y.push(w.transmissionMapUv),y.push(w.thicknessMapUv),y.push(w.combine),y.push(w.fogExp2),y.push(w.sizeAttenuation),y.push(w.morphTargetsCount),y.push(w.numSunLights),y.push(w.numDirLights),y.push(w.numPointLights),y.push(w.numSpotLights),y.push(w.numSpotLightMaps),y.push(w.numHemiLights),y.push(w.numRectAreaLights),y.push(w.numSunLightShadows),y.push(w.numDirLightShadows),y.push(w.numPointLightShadows),y.push(w.numSpotLightShadows),y.push(w.numSpotLightShadowsWithMaps),y.push(w.numLightProbes),y.push(w.numLightProbeGrids),y.push(w.shadowMapType),y.push(w.toneMapping),y.push(w.numClippingPlanes),y.push(w.numClipIntersection),y.push(w.depthPacking)}function m(y,w){o.disableAll(),w.instancing&&o.enable(0),w.instancingColor&&o.enable(1),w.instancingMorph&&o.enable(2),w.matcap&&o.enable(3),w.envMap&&o.enable(4),w.normalMapObjectSpace&&o.enable(5),w.normalMapTangentSpace&&o.enable(6),w.clearcoat&&o.enable(7),w.iridescence&&o.enable(8),w.alphaTest&&o.enable(9),w.vertexColors&&o.enable(10),w.vertexAlphas&&o.enable(11),w.vertexUv1s&&o.enable(12),w.vertexUv2s&&o.enable(13),w.vertexUv3s&&o.enable(14),w.vertexTangents&&o.enable(15),w.anisotropy&&o.enable(16),w.alphaHash&&o.enable(17),w.batching&&o.enable(18),w.dispersion&&o.enable(19),w.retroreflection&&o.enable(24),w.diffuseRoughness&&o.enable(25),w.batchingColor&&o.enable(20),w.gradientMap&&o.enable(21),w.packedNormalMap&&o.enable(22),w.vertexNormals&&o.enable(23),y.push(o.mask),o.disableAll(),w.fog&&o.enable(0),w.useFog&&o.enable(1),w.flatShading&&o.enable(2),w.logarithmicDepthBuffer&&o.enable(3),w.reversedDepthBuffer&&o.enable(4),w.skinning&&o.enable(5),w.morphTargets&&o.enable(6),w.morphNormals&&o.enable(7),w.morphColors&&o.enable(8),w.premultipliedAlpha&&o.enable(9),w.shadowMapEnabled&&o.enable(10),w.doubleSided&&o.enable(11),w.flipSided&&o.enable(12),w.useDepthPacking&&o.enable(13),w.dithering&&o.enable(14),w.transmission&&o.enable(15),w.sheen&&o.enable(16),w.opaque&&o.enable(17),w.pointsUvs&&o.enable(18),w.decodeVideoTexture&&o.enable(19),w.decodeVideoTextureEmissive&&o.enable(20),w.alphaToCoverage&&o.enable(21),w.numLightProbeGrids>0&&o.enable(22),w.hasPositionAttribute&&o.enable(23),y.push(o.mask)}function _(y){let w=f[y.type],I;if(w){let C=ts[w];I=Rg.clone(C.uniforms)}else I=y.uniforms;return I}function b(y,w){let I=h.get(w);return I!==void 0?++I.usedTimes:(I=new r1(i,w,y,s),c.push(I),h.set(w,I)),I}function x(y){if(--y.usedTimes===0){let w=c.indexOf(y);c[w]=c[c.length-1],c.pop(),h.delete(y.cacheKey),y.destroy()}}function S(y){a.remove(y)}function M(){a.dispose()}return{getParameters:p,getProgramCacheKey:v,getUniforms:_,acquireProgram:b,releaseProgram:x,releaseShaderCache:S,programs:c,dispose:M}}function c1(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function h1(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.materialVariant!==t.materialVariant?i.materialVariant-t.materialVariant:i.z!==t.z?i.z-t.z:i.id-t.id}function Zg(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function Jg(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(f){let d=0;return f.isInstancedMesh&&(d+=2),f.isSkinnedMesh&&(d+=1),d}function a(f,d,p,v,g,m){let _=i[t];return _===void 0?(_={id:f.id,object:f,geometry:d,material:p,materialVariant:o(f),groupOrder:v,renderOrder:f.renderOrder,z:g,group:m},i[t]=_):(_.id=f.id,_.object=f,_.geometry=d,_.material=p,_.materialVariant=o(f),_.groupOrder=v,_.renderOrder=f.renderOrder,_.z=g,_.group=m),t++,_}function l(f,d,p,v,g,m,_){_.reversedDepth===!0&&(g=-g);let b=a(f,d,p,v,g,m);p.transmission>0?n.push(b):p.transparent===!0?s.push(b):e.push(b)}function c(f,d,p,v,g,m){let _=a(f,d,p,v,g,m);p.transmission>0?n.unshift(_):p.transparent===!0?s.unshift(_):e.unshift(_)}function h(f,d){e.length>1&&e.sort(f||h1),n.length>1&&n.sort(d||Zg),s.length>1&&s.sort(d||Zg)}function u(){for(let f=t,d=i.length;f<d;f++){let p=i[f];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function u1(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new Jg,i.set(n,[o])):s>=r.length?(o=new Jg,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function f1(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new D,color:new Jt};break;case"SpotLight":e={position:new D,direction:new D,color:new Jt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new D,color:new Jt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new D,skyColor:new Jt,groundColor:new Jt};break;case"RectAreaLight":e={color:new Jt,position:new D,halfWidth:new D,halfHeight:new D};break}return i[t.id]=e,e}}}function d1(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ce};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ce};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ce,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var p1=0;function m1(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function g1(i){let t=new f1,e=d1(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new D);let s=new D,r=new Xt,o=new Xt;function a(c){let h=0,u=0,f=0;for(let k=0;k<9;k++)n.probe[k].set(0,0,0);let d=0,p=0,v=0,g=0,m=0,_=0,b=0,x=0,S=0,M=0,y=0,w=0,I=0,C=0;c.sort(m1);for(let k=0,F=c.length;k<F;k++){let E=c[k],z=E.color,X=E.intensity,V=E.distance,rt=null;if(E.shadow&&E.shadow.map&&(E.shadow.map.texture.format===Xs?rt=E.shadow.map.texture:rt=E.shadow.map.depthTexture||E.shadow.map.texture),E.isAmbientLight)h+=z.r*X,u+=z.g*X,f+=z.b*X;else if(E.isLightProbe){for(let Y=0;Y<9;Y++)n.probe[Y].addScaledVector(E.sh.coefficients[Y],X);C++}else if(E.isSunLight){let Y=t.get(E);if(Y.color.copy(E.color).multiplyScalar(E.intensity),E.castShadow){let K=E.shadow,et=e.get(E);et.shadowIntensity=K.intensity,et.shadowBias=K.bias,et.shadowNormalBias=K.normalBias,et.shadowRadius=K.radius,et.shadowMapSize.copy(K.mapSize).multiply(K.getFrameExtents()),n.sunShadow[p]=et,n.sunShadowMap[p]=rt;let ht=K.getViewportCount();for(let at=0;at<ht;at++)n.sunShadowMatrix[v+at]=K.getMatrix(at),n.sunShadowCascade[v+at]=K._cascadeData[at];v+=ht,p++}n.sun[d]=Y,d++}else if(E.isDirectionalLight){let Y=t.get(E);if(Y.color.copy(E.color).multiplyScalar(E.intensity),E.castShadow){let K=E.shadow,et=e.get(E);et.shadowIntensity=K.intensity,et.shadowBias=K.bias,et.shadowNormalBias=K.normalBias,et.shadowRadius=K.radius,et.shadowMapSize=K.mapSize,n.directionalShadow[g]=et,n.directionalShadowMap[g]=rt,n.directionalShadowMatrix[g]=E.shadow.matrix,S++}n.directional[g]=Y,g++}else if(E.isSpotLight){let Y=t.get(E);Y.position.setFromMatrixPosition(E.matrixWorld),Y.color.copy(z).multiplyScalar(X),Y.distance=V,Y.coneCos=Math.cos(E.angle),Y.penumbraCos=Math.cos(E.angle*(1-E.penumbra)),Y.decay=E.decay,n.spot[_]=Y;let K=E.shadow;if(E.map&&(n.spotLightMap[w]=E.map,w++,K.updateMatrices(E),E.castShadow&&I++),n.spotLightMatrix[_]=K.matrix,E.castShadow){let et=e.get(E);et.shadowIntensity=K.intensity,et.shadowBias=K.bias,et.shadowNormalBias=K.normalBias,et.shadowRadius=K.radius,et.shadowMapSize=K.mapSize,n.spotShadow[_]=et,n.spotShadowMap[_]=rt,y++}_++}else if(E.isRectAreaLight){let Y=t.get(E);Y.color.copy(z).multiplyScalar(X),Y.halfWidth.set(E.width*.5,0,0),Y.halfHeight.set(0,E.height*.5,0),n.rectArea[b]=Y,b++}else if(E.isPointLight){let Y=t.get(E);if(Y.color.copy(E.color).multiplyScalar(E.intensity),Y.distance=E.distance,Y.decay=E.decay,E.castShadow){let K=E.shadow,et=e.get(E);et.shadowIntensity=K.intensity,et.shadowBias=K.bias,et.shadowNormalBias=K.normalBias,et.shadowRadius=K.radius,et.shadowMapSize=K.mapSize,et.shadowCameraNear=K.camera.near,et.shadowCameraFar=K.camera.far,n.pointShadow[m]=et,n.pointShadowMap[m]=rt,n.pointShadowMatrix[m]=E.shadow.matrix,M++}n.point[m]=Y,m++}else if(E.isHemisphereLight){let Y=t.get(E);Y.skyColor.copy(E.color).multiplyScalar(X),Y.groundColor.copy(E.groundColor).multiplyScalar(X),n.hemi[x]=Y,x++}}b>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Nt.LTC_FLOAT_1,n.rectAreaLTC2=Nt.LTC_FLOAT_2):(n.rectAreaLTC1=Nt.LTC_HALF_1,n.rectAreaLTC2=Nt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=f;let L=n.hash;(L.sunLength!==d||L.directionalLength!==g||L.pointLength!==m||L.spotLength!==_||L.rectAreaLength!==b||L.hemiLength!==x||L.numSunShadows!==p||L.numDirectionalShadows!==S||L.numPointShadows!==M||L.numSpotShadows!==y||L.numSpotMaps!==w||L.numLightProbes!==C)&&(n.sun.length=d,n.directional.length=g,n.spot.length=_,n.rectArea.length=b,n.point.length=m,n.hemi.length=x,n.sunShadow.length=p,n.sunShadowMap.length=p,n.sunShadowMatrix.length=v,n.sunShadowCascade.length=v,n.directionalShadow.length=S,n.directionalShadowMap.length=S,n.directionalShadowMatrix.length=S,n.pointShadow.length=M,n.pointShadowMap.length=M,n.pointShadowMatrix.length=M,n.spotShadow.length=y,n.spotShadowMap.length=y,n.spotLightMatrix.length=y+w-I,n.spotLightMap.length=w,n.numSpotLightShadowsWithMaps=I,n.numLightProbes=C,L.sunLength=d,L.directionalLength=g,L.pointLength=m,L.spotLength=_,L.rectAreaLength=b,L.hemiLength=x,L.numSunShadows=p,L.numDirectionalShadows=S,L.numPointShadows=M,L.numSpotShadows=y,L.numSpotMaps=w,L.numLightProbes=C,n.version=p1++)}function l(c,h){let u=0,f=0,d=0,p=0,v=0,g=0,m=h.matrixWorldInverse;for(let _=0,b=c.length;_<b;_++){let x=c[_];if(x.isSunLight){let S=n.sun[u];S.direction.setFromMatrixPosition(x.matrixWorld),S.direction.transformDirection(m),u++}else if(x.isDirectionalLight){let S=n.directional[f];S.direction.setFromMatrixPosition(x.matrixWorld),s.setFromMatrixPosition(x.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),f++}else if(x.isSpotLight){let S=n.spot[p];S.position.setFromMatrixPosition(x.matrixWorld),S.position.applyMatrix4(m),S.direction.setFromMatrixPosition(x.matrixWorld),s.setFromMatrixPosition(x.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),p++}else if(x.isRectAreaLight){let S=n.rectArea[v];S.position.setFromMatrixPosition(x.matrixWorld),S.position.applyMatrix4(m),o.identity(),r.copy(x.matrixWorld),r.premultiply(m),o.extractRotation(r),S.halfWidth.set(x.width*.5,0,0),S.halfHeight.set(0,x.height*.5,0),S.halfWidth.applyMatrix4(o),S.halfHeight.applyMatrix4(o),v++}else if(x.isPointLight){let S=n.point[d];S.position.setFromMatrixPosition(x.matrixWorld),S.position.applyMatrix4(m),d++}else if(x.isHemisphereLight){let S=n.hemi[g];S.direction.setFromMatrixPosition(x.matrixWorld),S.direction.transformDirection(m),g++}}}return{setup:a,setupView:l,state:n}}function Kg(i){let t=new g1(i),e=[],n=[],s=[];function r(u){h.camera=u,e.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){n.push(u)}function l(){t.setup(e),s.sort((u,f)=>u.priority-f.priority||u.id-f.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function x1(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new Kg(i),t.set(s,[a])):r>=o.length?(a=new Kg(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var y1=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,_1=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,v1=[new D(1,0,0),new D(-1,0,0),new D(0,1,0),new D(0,-1,0),new D(0,0,1),new D(0,0,-1)],M1=[new D(0,-1,0),new D(0,-1,0),new D(0,0,1),new D(0,0,-1),new D(0,-1,0),new D(0,-1,0)],jg=new Xt,Na=new D,ed=new D;function b1(i,t,e){let n=new ar,s=new ce,r=new ce,o=new Ce,a=new ac,l=new lc,c={},h=e.maxTextureSize,u={[Ki]:Dn,[Dn]:Ki,[ti]:ti},f=new In({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new ce},radius:{value:4}},vertexShader:y1,fragmentShader:_1}),d=f.clone();d.defines.HORIZONTAL_PASS=1;let p=new ge;p.setAttribute("position",new ne(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let v=new Re(p,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=_a;let m=this.type;this.render=function(M,y,w){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||M.length===0)return;this.type===Zm&&(Yt("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=_a);let I=i.getRenderTarget(),C=i.getActiveCubeFace(),L=i.getActiveMipmapLevel(),k=i.state;k.setBlending(_s),k.buffers.depth.getReversed()===!0?k.buffers.color.setClear(0,0,0,0):k.buffers.color.setClear(1,1,1,1),k.buffers.depth.setTest(!0),k.setScissorTest(!1);let F=m!==this.type;F&&y.traverse(function(E){E.material&&(Array.isArray(E.material)?E.material.forEach(z=>z.needsUpdate=!0):E.material.needsUpdate=!0)});for(let E=0,z=M.length;E<z;E++){let X=M[E],V=X.shadow;if(V===void 0){Yt("WebGLShadowMap:",X,"has no shadow.");continue}if(V.autoUpdate===!1&&V.needsUpdate===!1)continue;s.copy(V.mapSize);let rt=V.getFrameExtents();s.multiply(rt),r.copy(V.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/rt.x),s.x=r.x*rt.x,V.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/rt.y),s.y=r.y*rt.y,V.mapSize.y=r.y));let Y=i.state.buffers.depth.getReversed();if(V.camera._reversedDepth=Y,V.map===null||F===!0){if(V.map!==null&&(V.map.depthTexture!==null&&(V.map.depthTexture.dispose(),V.map.depthTexture=null),V.map.dispose()),this.type===so){if(X.isPointLight){Yt("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}V.map=new Zn(s.x,s.y,{format:Xs,type:pi,minFilter:$n,magFilter:$n,generateMipmaps:!1}),V.map.texture.name=X.name+".shadowMap",V.map.depthTexture=new gs(s.x,s.y,wi),V.map.depthTexture.name=X.name+".shadowMapDepth",V.map.depthTexture.format=ms,V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=mn,V.map.depthTexture.magFilter=mn}else X.isPointLight?(V.map=new Da(s.x),V.map.depthTexture=new ca(s.x,Fi)):(V.map=new Zn(s.x,s.y),V.map.depthTexture=new gs(s.x,s.y,Fi)),V.map.depthTexture.name=X.name+".shadowMap",V.map.depthTexture.format=ms,this.type===_a?(V.map.depthTexture.compareFunction=Y?Xf:Wf,V.map.depthTexture.minFilter=$n,V.map.depthTexture.magFilter=$n):(V.map.depthTexture.compareFunction=null,V.map.depthTexture.minFilter=mn,V.map.depthTexture.magFilter=mn);V.camera.updateProjectionMatrix()}V.map.isWebGLCubeRenderTarget!==!0&&(V.map.width!==s.x||V.map.height!==s.y)&&V.map.setSize(s.x,s.y);let K=V.map.isWebGLCubeRenderTarget?6:V.getViewportCount();X.isPointLight!==!0&&V.updateMatrices(X,w);let et=(V.camera.layers.mask&4294967294)!==0?V.camera.layers:w.layers;for(let ht=0;ht<K;ht++){let at=V.getCamera(ht);if(X.isPointLight){let Q=V.camera,gt=V.matrix,xt=X.distance||Q.far;xt!==Q.far&&(Q.far=xt,Q.updateProjectionMatrix()),Na.setFromMatrixPosition(X.matrixWorld),Q.position.copy(Na),ed.copy(Q.position),ed.add(v1[ht]),Q.up.copy(M1[ht]),Q.lookAt(ed),Q.updateMatrixWorld(),gt.makeTranslation(-Na.x,-Na.y,-Na.z),jg.multiplyMatrices(Q.projectionMatrix,Q.matrixWorldInverse),V._frustum.setFromProjectionMatrix(jg,Q.coordinateSystem,Q.reversedDepth)}if(V.map.isWebGLCubeRenderTarget)i.setRenderTarget(V.map,ht),i.clear();else{ht===0&&(i.setRenderTarget(V.map),i.clear());let Q=V.getViewport(ht);o.set(r.x*Q.x,r.y*Q.y,r.x*Q.z,r.y*Q.w),k.viewport(o)}n=V.getFrustum(ht),x(y,w,at,X,et,this.type)}V.isPointLightShadow!==!0&&this.type===so&&_(V,w),V.needsUpdate=!1}m=this.type,g.needsUpdate=!1,i.setRenderTarget(I,C,L)};function _(M,y){let w=t.update(v);f.defines.VSM_SAMPLES!==M.blurSamples&&(f.defines.VSM_SAMPLES=M.blurSamples,d.defines.VSM_SAMPLES=M.blurSamples,f.needsUpdate=!0,d.needsUpdate=!0),M.mapPass===null?M.mapPass=new Zn(s.x,s.y,{format:Xs,type:pi}):(M.mapPass.width!==M.map.width||M.mapPass.height!==M.map.height)&&M.mapPass.setSize(M.map.width,M.map.height),f.uniforms.shadow_pass.value=M.map.depthTexture,f.uniforms.resolution.value.set(M.map.width,M.map.height),f.uniforms.radius.value=M.radius,i.setRenderTarget(M.mapPass),i.clear(),i.renderBufferDirect(y,null,w,f,v,null),d.uniforms.shadow_pass.value=M.mapPass.texture,d.uniforms.resolution.value.set(M.map.width,M.map.height),d.uniforms.radius.value=M.radius,i.setRenderTarget(M.map),i.clear(),i.renderBufferDirect(y,null,w,d,v,null)}function b(M,y,w,I){let C=null,L=w.isPointLight===!0?M.customDistanceMaterial:M.customDepthMaterial;if(L!==void 0)C=L;else if(C=w.isPointLight===!0?l:a,i.localClippingEnabled&&y.clipShadows===!0&&Array.isArray(y.clippingPlanes)&&y.clippingPlanes.length!==0||y.displacementMap&&y.displacementScale!==0||y.alphaMap&&y.alphaTest>0||y.map&&y.alphaTest>0||y.alphaToCoverage===!0){let k=C.uuid,F=y.uuid,E=c[k];E===void 0&&(E={},c[k]=E);let z=E[F];z===void 0&&(z=C.clone(),E[F]=z,y.addEventListener("dispose",S)),C=z}if(C.visible=y.visible,C.wireframe=y.wireframe,I===so?C.side=y.shadowSide!==null?y.shadowSide:y.side:C.side=y.shadowSide!==null?y.shadowSide:u[y.side],C.alphaMap=y.alphaMap,C.alphaTest=y.alphaToCoverage===!0?.5:y.alphaTest,C.map=y.map,C.clipShadows=y.clipShadows,C.clippingPlanes=y.clippingPlanes,C.clipIntersection=y.clipIntersection,C.displacementMap=y.displacementMap,C.displacementScale=y.displacementScale,C.displacementBias=y.displacementBias,C.wireframeLinewidth=y.wireframeLinewidth,C.linewidth=y.linewidth,w.isPointLight===!0&&C.isMeshDistanceMaterial===!0){let k=i.properties.get(C);k.light=w}return C}function x(M,y,w,I,C,L){if(M.visible===!1)return;if(M.layers.test(C)&&(M.isMesh||M.isLine||M.isPoints)&&(M.castShadow||M.receiveShadow&&L===so)&&(!M.frustumCulled||M.intersectsFrustum(n))){M.modelViewMatrix.multiplyMatrices(w.matrixWorldInverse,M.matrixWorld);let E=t.update(M),z=M.material;if(Array.isArray(z)){let X=E.groups;for(let V=0,rt=X.length;V<rt;V++){let Y=X[V],K=z[Y.materialIndex];if(K&&K.visible){let et=b(M,K,I,L);M.onBeforeShadow(i,M,y,w,E,et,Y),i.renderBufferDirect(w,null,E,et,M,Y),M.onAfterShadow(i,M,y,w,E,et,Y)}}}else if(z.visible){let X=b(M,z,I,L);M.onBeforeShadow(i,M,y,w,E,X,null),i.renderBufferDirect(w,null,E,X,M,null),M.onAfterShadow(i,M,y,w,E,X,null)}}let F=M.children;for(let E=0,z=F.length;E<z;E++)x(F[E],y,w,I,C,L)}function S(M){M.target.removeEventListener("dispose",S);for(let w in c){let I=c[w],C=M.target.uuid;C in I&&(I[C].dispose(),delete I[C])}}}function w1(i,t){function e(){let G=!1,ot=new Ce,it=null,At=new Ce(0,0,0,0);return{setMask:function(yt){it!==yt&&!G&&(i.colorMask(yt,yt,yt,yt),it=yt)},setLocked:function(yt){G=yt},setClear:function(yt,wt,Ht,Qt,ut){ut===!0&&(yt*=Qt,wt*=Qt,Ht*=Qt),ot.set(yt,wt,Ht,Qt),At.equals(ot)===!1&&(i.clearColor(yt,wt,Ht,Qt),At.copy(ot))},reset:function(){G=!1,it=null,At.set(-1,0,0,0)}}}function n(){let G=!1,ot=!1,it=null,At=null,yt=null;return{setReversed:function(wt){if(ot!==wt){let Ht=t.get("EXT_clip_control");wt?Ht.clipControlEXT(Ht.LOWER_LEFT_EXT,Ht.ZERO_TO_ONE_EXT):Ht.clipControlEXT(Ht.LOWER_LEFT_EXT,Ht.NEGATIVE_ONE_TO_ONE_EXT),ot=wt;let Qt=yt;yt=null,this.setClear(Qt)}},getReversed:function(){return ot},setTest:function(wt){wt?_t(i.DEPTH_TEST):Gt(i.DEPTH_TEST)},setMask:function(wt){it!==wt&&!G&&(i.depthMask(wt),it=wt)},setFunc:function(wt){if(ot&&(wt=Tg[wt]),At!==wt){switch(wt){case Gl:i.depthFunc(i.NEVER);break;case Hl:i.depthFunc(i.ALWAYS);break;case Wl:i.depthFunc(i.LESS);break;case Kr:i.depthFunc(i.LEQUAL);break;case Xl:i.depthFunc(i.EQUAL);break;case ql:i.depthFunc(i.GEQUAL);break;case $l:i.depthFunc(i.GREATER);break;case Yl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}At=wt}},setLocked:function(wt){G=wt},setClear:function(wt){yt!==wt&&(yt=wt,ot&&(wt=1-wt),i.clearDepth(wt))},reset:function(){G=!1,it=null,At=null,yt=null,ot=!1}}}function s(){let G=!1,ot=null,it=null,At=null,yt=null,wt=null,Ht=null,Qt=null,ut=null;return{setTest:function(kt){G||(kt?_t(i.STENCIL_TEST):Gt(i.STENCIL_TEST))},setMask:function(kt){ot!==kt&&!G&&(i.stencilMask(kt),ot=kt)},setFunc:function(kt,te,Ct){(it!==kt||At!==te||yt!==Ct)&&(i.stencilFunc(kt,te,Ct),it=kt,At=te,yt=Ct)},setOp:function(kt,te,Ct){(wt!==kt||Ht!==te||Qt!==Ct)&&(i.stencilOp(kt,te,Ct),wt=kt,Ht=te,Qt=Ct)},setLocked:function(kt){G=kt},setClear:function(kt){ut!==kt&&(i.clearStencil(kt),ut=kt)},reset:function(){G=!1,ot=null,it=null,At=null,yt=null,wt=null,Ht=null,Qt=null,ut=null}}}let r=new e,o=new n,a=new s,l={},c=new WeakMap,h={},u={},f={},d=new WeakMap,p=[],v=null,g=!1,m=null,_=null,b=null,x=null,S=null,M=null,y=null,w=new Jt(0,0,0),I=0,C=!1,L=null,k=null,F=null,E=null,z=null,X=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),V=!1,rt=0,Y=i.getParameter(i.VERSION);Y.indexOf("WebGL")!==-1?(rt=parseFloat(/^WebGL (\d)/.exec(Y)[1]),V=rt>=1):Y.indexOf("OpenGL ES")!==-1&&(rt=parseFloat(/^OpenGL ES (\d)/.exec(Y)[1]),V=rt>=2);let K=null,et={},ht=i.getParameter(i.SCISSOR_BOX),at=i.getParameter(i.VIEWPORT),Q=new Ce().fromArray(ht),gt=new Ce().fromArray(at);function xt(G,ot,it,At){let yt=new Uint8Array(4),wt=i.createTexture();i.bindTexture(G,wt),i.texParameteri(G,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(G,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ht=0;Ht<it;Ht++)G===i.TEXTURE_3D||G===i.TEXTURE_2D_ARRAY?i.texImage3D(ot,0,i.RGBA,1,1,At,0,i.RGBA,i.UNSIGNED_BYTE,yt):i.texImage2D(ot+Ht,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,yt);return wt}let dt={};dt[i.TEXTURE_2D]=xt(i.TEXTURE_2D,i.TEXTURE_2D,1),dt[i.TEXTURE_CUBE_MAP]=xt(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),dt[i.TEXTURE_2D_ARRAY]=xt(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),dt[i.TEXTURE_3D]=xt(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),_t(i.DEPTH_TEST),o.setFunc(Kr),tn(!1),ke(Mf),_t(i.CULL_FACE),xe(_s);function _t(G){h[G]!==!0&&(i.enable(G),h[G]=!0)}function Gt(G){h[G]!==!1&&(i.disable(G),h[G]=!1)}function jt(G,ot){return f[G]!==ot?(i.bindFramebuffer(G,ot),f[G]=ot,G===i.DRAW_FRAMEBUFFER&&(f[i.FRAMEBUFFER]=ot),G===i.FRAMEBUFFER&&(f[i.DRAW_FRAMEBUFFER]=ot),!0):!1}function Ut(G,ot){let it=p,At=!1;if(G){it=d.get(ot),it===void 0&&(it=[],d.set(ot,it));let yt=G.textures;if(it.length!==yt.length||it[0]!==i.COLOR_ATTACHMENT0){for(let wt=0,Ht=yt.length;wt<Ht;wt++)it[wt]=i.COLOR_ATTACHMENT0+wt;it.length=yt.length,At=!0}}else it[0]!==i.BACK&&(it[0]=i.BACK,At=!0);At&&i.drawBuffers(it)}function ae(G){return v!==G?(i.useProgram(G),v=G,!0):!1}let le={[vs]:i.FUNC_ADD,[Jm]:i.FUNC_SUBTRACT,[Km]:i.FUNC_REVERSE_SUBTRACT};le[jm]=i.MIN,le[Qm]=i.MAX;let ie={[tg]:i.ZERO,[Ma]:i.ONE,[eg]:i.SRC_COLOR,[Af]:i.SRC_ALPHA,[ag]:i.SRC_ALPHA_SATURATE,[rg]:i.DST_COLOR,[ig]:i.DST_ALPHA,[ng]:i.ONE_MINUS_SRC_COLOR,[Tf]:i.ONE_MINUS_SRC_ALPHA,[og]:i.ONE_MINUS_DST_COLOR,[sg]:i.ONE_MINUS_DST_ALPHA,[lg]:i.CONSTANT_COLOR,[cg]:i.ONE_MINUS_CONSTANT_COLOR,[hg]:i.CONSTANT_ALPHA,[ug]:i.ONE_MINUS_CONSTANT_ALPHA};function xe(G,ot,it,At,yt,wt,Ht,Qt,ut,kt){if(G===_s){g===!0&&(Gt(i.BLEND),g=!1);return}if(g===!1&&(_t(i.BLEND),g=!0),G!==va){if(G!==m||kt!==C){if((_!==vs||S!==vs)&&(i.blendEquation(i.FUNC_ADD),_=vs,S=vs),kt)switch(G){case ro:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case bf:i.blendFunc(i.ONE,i.ONE);break;case wf:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Sf:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:ee("WebGLState: Invalid blending: ",G);break}else switch(G){case ro:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case bf:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case wf:ee("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Sf:ee("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:ee("WebGLState: Invalid blending: ",G);break}b=null,x=null,M=null,y=null,w.set(0,0,0),I=0,m=G,C=kt}return}yt=yt||ot,wt=wt||it,Ht=Ht||At,(ot!==_||yt!==S)&&(i.blendEquationSeparate(le[ot],le[yt]),_=ot,S=yt),(it!==b||At!==x||wt!==M||Ht!==y)&&(i.blendFuncSeparate(ie[it],ie[At],ie[wt],ie[Ht]),b=it,x=At,M=wt,y=Ht),(Qt.equals(w)===!1||ut!==I)&&(i.blendColor(Qt.r,Qt.g,Qt.b,ut),w.copy(Qt),I=ut),m=G,C=!1}function we(G,ot){G.side===ti?Gt(i.CULL_FACE):_t(i.CULL_FACE);let it=G.side===Dn;ot&&(it=!it),tn(it),G.blending===ro&&G.transparent===!1?xe(_s):xe(G.blending,G.blendEquation,G.blendSrc,G.blendDst,G.blendEquationAlpha,G.blendSrcAlpha,G.blendDstAlpha,G.blendColor,G.blendAlpha,G.premultipliedAlpha),o.setFunc(G.depthFunc),o.setTest(G.depthTest),o.setMask(G.depthWrite),r.setMask(G.colorWrite);let At=G.stencilWrite;a.setTest(At),At&&(a.setMask(G.stencilWriteMask),a.setFunc(G.stencilFunc,G.stencilRef,G.stencilFuncMask),a.setOp(G.stencilFail,G.stencilZFail,G.stencilZPass)),Se(G.polygonOffset,G.polygonOffsetFactor,G.polygonOffsetUnits),G.alphaToCoverage===!0?_t(i.SAMPLE_ALPHA_TO_COVERAGE):Gt(i.SAMPLE_ALPHA_TO_COVERAGE)}function tn(G){L!==G&&(G?i.frontFace(i.CW):i.frontFace(i.CCW),L=G)}function ke(G){G!==$m?(_t(i.CULL_FACE),G!==k&&(G===Mf?i.cullFace(i.BACK):G===Ym?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Gt(i.CULL_FACE),k=G}function An(G){G!==F&&(V&&i.lineWidth(G),F=G)}function Se(G,ot,it){G?(_t(i.POLYGON_OFFSET_FILL),(E!==ot||z!==it)&&(E=ot,z=it,o.getReversed()&&(ot=-ot,it=-it),i.polygonOffset(ot,it))):Gt(i.POLYGON_OFFSET_FILL)}function yn(G){G?_t(i.SCISSOR_TEST):Gt(i.SCISSOR_TEST)}function en(G){G===void 0&&(G=i.TEXTURE0+X-1),K!==G&&(i.activeTexture(G),K=G)}function cn(G,ot,it){it===void 0&&(K===null?it=i.TEXTURE0+X-1:it=K);let At=et[it];At===void 0&&(At={type:void 0,texture:void 0},et[it]=At),(At.type!==G||At.texture!==ot)&&(K!==it&&(i.activeTexture(it),K=it),i.bindTexture(G,ot||dt[G]),At.type=G,At.texture=ot)}function H(){let G=et[K];G!==void 0&&G.type!==void 0&&(i.bindTexture(G.type,null),G.type=void 0,G.texture=void 0)}function Rt(){try{i.compressedTexImage2D(...arguments)}catch(G){ee("WebGLState:",G)}}function $t(){try{i.compressedTexImage3D(...arguments)}catch(G){ee("WebGLState:",G)}}function oe(){try{i.texSubImage2D(...arguments)}catch(G){ee("WebGLState:",G)}}function St(){try{i.texSubImage3D(...arguments)}catch(G){ee("WebGLState:",G)}}function Ve(){try{i.compressedTexSubImage2D(...arguments)}catch(G){ee("WebGLState:",G)}}function Vt(){try{i.compressedTexSubImage3D(...arguments)}catch(G){ee("WebGLState:",G)}}function qt(){try{i.texStorage2D(...arguments)}catch(G){ee("WebGLState:",G)}}function U(){try{i.texStorage3D(...arguments)}catch(G){ee("WebGLState:",G)}}function T(){try{i.texImage2D(...arguments)}catch(G){ee("WebGLState:",G)}}function $(){try{i.texImage3D(...arguments)}catch(G){ee("WebGLState:",G)}}function ft(G){return u[G]!==void 0?u[G]:i.getParameter(G)}function lt(G,ot){u[G]!==ot&&(i.pixelStorei(G,ot),u[G]=ot)}function vt(G){Q.equals(G)===!1&&(i.scissor(G.x,G.y,G.z,G.w),Q.copy(G))}function Mt(G){gt.equals(G)===!1&&(i.viewport(G.x,G.y,G.z,G.w),gt.copy(G))}function nt(G,ot){let it=c.get(ot);it===void 0&&(it=new WeakMap,c.set(ot,it));let At=it.get(G);At===void 0&&(At=i.getUniformBlockIndex(ot,G.name),i.uniformBlockBinding(ot,At,At),it.set(G,At))}function st(G,ot,it){let yt=c.get(ot).get(G);l[yt]!==it&&(i.bindBufferBase(i.UNIFORM_BUFFER,yt,it),l[yt]=it)}function mt(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},K=null,et={},f={},l={},d=new WeakMap,p=[],v=null,g=!1,m=null,_=null,b=null,x=null,S=null,M=null,y=null,w=new Jt(0,0,0),I=0,C=!1,L=null,k=null,F=null,E=null,z=null,Q.set(0,0,i.canvas.width,i.canvas.height),gt.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:_t,disable:Gt,bindFramebuffer:jt,drawBuffers:Ut,useProgram:ae,setBlending:xe,setMaterial:we,setFlipSided:tn,setCullFace:ke,setLineWidth:An,setPolygonOffset:Se,setScissorTest:yn,activeTexture:en,bindTexture:cn,unbindTexture:H,compressedTexImage2D:Rt,compressedTexImage3D:$t,texImage2D:T,texImage3D:$,pixelStorei:lt,getParameter:ft,updateUBOMapping:nt,uniformBlockBinding:st,texStorage2D:qt,texStorage3D:U,texSubImage2D:oe,texSubImage3D:St,compressedTexSubImage2D:Ve,compressedTexSubImage3D:Vt,scissor:vt,viewport:Mt,reset:mt}}function S1(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new ce,h=new WeakMap,u=new Set,f,d=new WeakMap,p=new Set,v=new FinalizationRegistry(U=>p.delete(U)),g=!1;try{g=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function m(U,T){return g?new OffscreenCanvas(U,T):ta("canvas")}function _(U,T,$){let ft=1,lt=qt(U);if((lt.width>$||lt.height>$)&&(ft=$/Math.max(lt.width,lt.height)),ft<1)if(typeof HTMLImageElement<"u"&&U instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&U instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&U instanceof ImageBitmap||typeof VideoFrame<"u"&&U instanceof VideoFrame){let vt=Math.floor(ft*lt.width),Mt=Math.floor(ft*lt.height);f===void 0&&(f=m(vt,Mt));let nt=T?m(vt,Mt):f;return nt.width=vt,nt.height=Mt,nt.getContext("2d").drawImage(U,0,0,vt,Mt),Yt("WebGLRenderer: Texture has been resized from ("+lt.width+"x"+lt.height+") to ("+vt+"x"+Mt+")."),nt}else return"data"in U&&Yt("WebGLRenderer: Image in DataTexture is too big ("+lt.width+"x"+lt.height+")."),U;return U}function b(U){return U.generateMipmaps}function x(U){i.generateMipmap(U)}function S(U){return U.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:U.isWebGL3DRenderTarget?i.TEXTURE_3D:U.isWebGLArrayRenderTarget||U.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function M(U,T,$,ft,lt,vt=!1){if(U!==null){if(i[U]!==void 0)return i[U];Yt("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+U+"'")}let Mt;ft&&(Mt=t.get("EXT_texture_norm16"),Mt||Yt("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let nt=T;if(T===i.RED&&($===i.FLOAT&&(nt=i.R32F),$===i.HALF_FLOAT&&(nt=i.R16F),$===i.UNSIGNED_BYTE&&(nt=i.R8),$===i.UNSIGNED_SHORT&&Mt&&(nt=Mt.R16_EXT),$===i.SHORT&&Mt&&(nt=Mt.R16_SNORM_EXT)),T===i.RED_INTEGER&&($===i.UNSIGNED_BYTE&&(nt=i.R8UI),$===i.UNSIGNED_SHORT&&(nt=i.R16UI),$===i.UNSIGNED_INT&&(nt=i.R32UI),$===i.BYTE&&(nt=i.R8I),$===i.SHORT&&(nt=i.R16I),$===i.INT&&(nt=i.R32I)),T===i.RG&&($===i.FLOAT&&(nt=i.RG32F),$===i.HALF_FLOAT&&(nt=i.RG16F),$===i.UNSIGNED_BYTE&&(nt=i.RG8),$===i.UNSIGNED_SHORT&&Mt&&(nt=Mt.RG16_EXT),$===i.SHORT&&Mt&&(nt=Mt.RG16_SNORM_EXT)),T===i.RG_INTEGER&&($===i.UNSIGNED_BYTE&&(nt=i.RG8UI),$===i.UNSIGNED_SHORT&&(nt=i.RG16UI),$===i.UNSIGNED_INT&&(nt=i.RG32UI),$===i.BYTE&&(nt=i.RG8I),$===i.SHORT&&(nt=i.RG16I),$===i.INT&&(nt=i.RG32I)),T===i.RGB_INTEGER&&($===i.UNSIGNED_BYTE&&(nt=i.RGB8UI),$===i.UNSIGNED_SHORT&&(nt=i.RGB16UI),$===i.UNSIGNED_INT&&(nt=i.RGB32UI),$===i.BYTE&&(nt=i.RGB8I),$===i.SHORT&&(nt=i.RGB16I),$===i.INT&&(nt=i.RGB32I)),T===i.RGBA_INTEGER&&($===i.UNSIGNED_BYTE&&(nt=i.RGBA8UI),$===i.UNSIGNED_SHORT&&(nt=i.RGBA16UI),$===i.UNSIGNED_INT&&(nt=i.RGBA32UI),$===i.BYTE&&(nt=i.RGBA8I),$===i.SHORT&&(nt=i.RGBA16I),$===i.INT&&(nt=i.RGBA32I)),T===i.RGB&&($===i.UNSIGNED_SHORT&&Mt&&(nt=Mt.RGB16_EXT),$===i.SHORT&&Mt&&(nt=Mt.RGB16_SNORM_EXT),$===i.UNSIGNED_INT_5_9_9_9_REV&&(nt=i.RGB9_E5),$===i.UNSIGNED_INT_10F_11F_11F_REV&&(nt=i.R11F_G11F_B10F)),T===i.RGBA){let st=vt?jo:ve.getTransfer(lt);$===i.FLOAT&&(nt=i.RGBA32F),$===i.HALF_FLOAT&&(nt=i.RGBA16F),$===i.UNSIGNED_BYTE&&(nt=st===Ne?i.SRGB8_ALPHA8:i.RGBA8),$===i.UNSIGNED_SHORT&&Mt&&(nt=Mt.RGBA16_EXT),$===i.SHORT&&Mt&&(nt=Mt.RGBA16_SNORM_EXT),$===i.UNSIGNED_SHORT_4_4_4_4&&(nt=i.RGBA4),$===i.UNSIGNED_SHORT_5_5_5_1&&(nt=i.RGB5_A1)}return(nt===i.R16F||nt===i.R32F||nt===i.RG16F||nt===i.RG32F||nt===i.RGBA16F||nt===i.RGBA32F)&&t.get("EXT_color_buffer_float"),nt}function y(U,T){let $;return U?T===null||T===Fi||T===cr?$=i.DEPTH24_STENCIL8:T===wi?$=i.DEPTH32F_STENCIL8:T===ao&&($=i.DEPTH24_STENCIL8,Yt("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):T===null||T===Fi||T===cr?$=i.DEPTH_COMPONENT24:T===wi?$=i.DEPTH_COMPONENT32F:T===ao&&($=i.DEPTH_COMPONENT16),$}function w(U,T){return b(U)===!0||U.isFramebufferTexture&&U.minFilter!==mn&&U.minFilter!==$n?Math.log2(Math.max(T.width,T.height))+1:U.mipmaps.length>0?U.mipmaps.length:U.isCompressedTexture&&Array.isArray(U.image)?T.mipmaps.length:1}function I(U){let T=new WeakRef(U);n.get(U).__ref=T,p.add(T),v.register(U,T,T)}function C(U){let T=n.get(U).__ref;T!==void 0&&(p.delete(T),v.unregister(T))}function L(U){F(U.target)}function k(U){E(U.target)}function F(U){U.removeEventListener("dispose",L),C(U),X(U),U.isVideoTexture&&h.delete(U),U.isHTMLTexture&&u.delete(U)}function E(U){U.removeEventListener("dispose",k),C(U),rt(U)}function z(){for(let U of p){let T=U.deref();T!==void 0&&(T.isRenderTarget===!0?E(T):F(T))}p.clear(),u.clear()}function X(U){let T=n.get(U);if(T.__webglInit===void 0)return;let $=U.source,ft=d.get($);if(ft){let lt=ft[T.__cacheKey];lt.usedTimes--,lt.usedTimes===0&&V(U),Object.keys(ft).length===0&&d.delete($)}n.remove(U)}function V(U){let T=n.get(U);i.deleteTexture(T.__webglTexture);let $=U.source,ft=d.get($);delete ft[T.__cacheKey],o.memory.textures--}function rt(U){let T=n.get(U);T.__depthDisposeCallback&&T.__depthDisposeCallback();let $=U.depthTexture;if($&&$.renderTarget===U&&F($),U.isWebGLCubeRenderTarget)for(let lt=0;lt<6;lt++){if(Array.isArray(T.__webglFramebuffer[lt]))for(let vt=0;vt<T.__webglFramebuffer[lt].length;vt++)i.deleteFramebuffer(T.__webglFramebuffer[lt][vt]);else i.deleteFramebuffer(T.__webglFramebuffer[lt]);T.__webglDepthbuffer&&i.deleteRenderbuffer(T.__webglDepthbuffer[lt])}else{if(Array.isArray(T.__webglFramebuffer))for(let lt=0;lt<T.__webglFramebuffer.length;lt++)i.deleteFramebuffer(T.__webglFramebuffer[lt]);else i.deleteFramebuffer(T.__webglFramebuffer);if(T.__webglDepthbuffer&&i.deleteRenderbuffer(T.__webglDepthbuffer),T.__webglMultisampledFramebuffer&&i.deleteFramebuffer(T.__webglMultisampledFramebuffer),T.__webglColorRenderbuffer)for(let lt=0;lt<T.__webglColorRenderbuffer.length;lt++)T.__webglColorRenderbuffer[lt]&&i.deleteRenderbuffer(T.__webglColorRenderbuffer[lt]);T.__webglDepthRenderbuffer&&i.deleteRenderbuffer(T.__webglDepthRenderbuffer)}let ft=U.textures;for(let lt=0,vt=ft.length;lt<vt;lt++){let Mt=n.get(ft[lt]);Mt.__webglTexture&&(i.deleteTexture(Mt.__webglTexture),o.memory.textures--),n.remove(ft[lt])}n.remove(U)}let Y=0;function K(){Y=0}function et(){return Y}function ht(U){Y=U}function at(){let U=Y;return U>=s.maxTextures&&Yt("WebGLTextures: Trying to use "+(U+1)+" texture units while this GPU supports only "+s.maxTextures),Y+=1,U}function Q(U){let T=[];return T.push(U.wrapS),T.push(U.wrapT),T.push(U.wrapR||0),T.push(U.magFilter),T.push(U.minFilter),T.push(U.anisotropy),T.push(U.internalFormat),T.push(U.format),T.push(U.type),T.push(U.generateMipmaps),T.push(U.mipmapsAutoUpdate),T.push(U.premultiplyAlpha),T.push(U.flipY),T.push(U.unpackAlignment),T.push(U.colorSpace),T.join()}function gt(U,T){let $=n.get(U);if(U.isVideoTexture&&Ve(U),U.isRenderTargetTexture===!1&&U.isExternalTexture!==!0&&U.version>0&&$.__version!==U.version){let ft=U.image;if(ft===null)Yt("WebGLRenderer: Texture marked for update but no image data found.");else if(ft.complete===!1)Yt("WebGLRenderer: Texture marked for update but image is incomplete");else{we($,U,T);return}}else U.isExternalTexture&&($.__webglTexture=U.sourceTexture?U.sourceTexture:null);e.bindTexture(i.TEXTURE_2D,$.__webglTexture,i.TEXTURE0+T)}function xt(U,T){let $=n.get(U);if(U.isRenderTargetTexture===!1&&U.version>0&&$.__version!==U.version){we($,U,T);return}else U.isExternalTexture&&($.__webglTexture=U.sourceTexture?U.sourceTexture:null);e.bindTexture(i.TEXTURE_2D_ARRAY,$.__webglTexture,i.TEXTURE0+T)}function dt(U,T){let $=n.get(U);if(U.isRenderTargetTexture===!1&&U.version>0&&$.__version!==U.version){we($,U,T);return}e.bindTexture(i.TEXTURE_3D,$.__webglTexture,i.TEXTURE0+T)}function _t(U,T){let $=n.get(U);if(U.version>0&&$.__version!==U.version){tn($,U,T);return}e.bindTexture(i.TEXTURE_CUBE_MAP,$.__webglTexture,i.TEXTURE0+T)}let Gt={[Zl]:i.REPEAT,[Yi]:i.CLAMP_TO_EDGE,[Jl]:i.MIRRORED_REPEAT},jt={[mn]:i.NEAREST,[pg]:i.NEAREST_MIPMAP_NEAREST,[ba]:i.NEAREST_MIPMAP_LINEAR,[$n]:i.LINEAR,[bc]:i.LINEAR_MIPMAP_NEAREST,[Ms]:i.LINEAR_MIPMAP_LINEAR},Ut={[xg]:i.NEVER,[qf]:i.ALWAYS,[yg]:i.LESS,[Wf]:i.LEQUAL,[_g]:i.EQUAL,[Xf]:i.GEQUAL,[vg]:i.GREATER,[Mg]:i.NOTEQUAL};function ae(U,T){if(T.type===wi&&t.has("OES_texture_float_linear")===!1&&(T.magFilter===$n||T.magFilter===bc||T.magFilter===ba||T.magFilter===Ms||T.minFilter===$n||T.minFilter===bc||T.minFilter===ba||T.minFilter===Ms)&&Yt("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(U,i.TEXTURE_WRAP_S,Gt[T.wrapS]),i.texParameteri(U,i.TEXTURE_WRAP_T,Gt[T.wrapT]),(U===i.TEXTURE_3D||U===i.TEXTURE_2D_ARRAY)&&i.texParameteri(U,i.TEXTURE_WRAP_R,Gt[T.wrapR]),i.texParameteri(U,i.TEXTURE_MAG_FILTER,jt[T.magFilter]),i.texParameteri(U,i.TEXTURE_MIN_FILTER,jt[T.minFilter]),T.compareFunction&&(i.texParameteri(U,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(U,i.TEXTURE_COMPARE_FUNC,Ut[T.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(T.magFilter===mn||T.minFilter!==ba&&T.minFilter!==Ms||T.type===wi&&t.has("OES_texture_float_linear")===!1)return;if(T.anisotropy>1||n.get(T).__currentAnisotropy){let $=t.get("EXT_texture_filter_anisotropic");i.texParameterf(U,$.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(T.anisotropy,s.getMaxAnisotropy())),n.get(T).__currentAnisotropy=T.anisotropy}}}function le(U,T){let $=!1;U.__webglInit===void 0&&(U.__webglInit=!0,T.addEventListener("dispose",L),I(T));let ft=T.source,lt=d.get(ft);lt===void 0&&(lt={},d.set(ft,lt));let vt=Q(T);if(vt!==U.__cacheKey){lt[vt]===void 0&&(lt[vt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,$=!0),lt[vt].usedTimes++;let Mt=lt[U.__cacheKey];Mt!==void 0&&(lt[U.__cacheKey].usedTimes--,Mt.usedTimes===0&&V(T)),U.__cacheKey=vt,U.__webglTexture=lt[vt].texture}return $}function ie(U,T,$){return Math.floor(Math.floor(U/$)/T)}function xe(U,T,$,ft){let vt=U.updateRanges;if(vt.length===0)e.texSubImage2D(i.TEXTURE_2D,0,0,0,T.width,T.height,$,ft,T.data);else{vt.sort((G,ot)=>G.start-ot.start);let Mt=0;for(let G=1;G<vt.length;G++){let ot=vt[Mt],it=vt[G],At=ot.start+ot.count,yt=ie(it.start,T.width,4),wt=ie(ot.start,T.width,4);it.start<=At+1&&yt===wt&&ie(it.start+it.count-1,T.width,4)===yt?ot.count=Math.max(ot.count,it.start+it.count-ot.start):(++Mt,vt[Mt]=it)}vt.length=Mt+1;let nt=e.getParameter(i.UNPACK_ROW_LENGTH),st=e.getParameter(i.UNPACK_SKIP_PIXELS),mt=e.getParameter(i.UNPACK_SKIP_ROWS);e.pixelStorei(i.UNPACK_ROW_LENGTH,T.width);for(let G=0,ot=vt.length;G<ot;G++){let it=vt[G],At=Math.floor(it.start/4),yt=Math.ceil(it.count/4),wt=At%T.width,Ht=Math.floor(At/T.width),Qt=yt,ut=1;e.pixelStorei(i.UNPACK_SKIP_PIXELS,wt),e.pixelStorei(i.UNPACK_SKIP_ROWS,Ht),e.texSubImage2D(i.TEXTURE_2D,0,wt,Ht,Qt,ut,$,ft,T.data)}U.clearUpdateRanges(),e.pixelStorei(i.UNPACK_ROW_LENGTH,nt),e.pixelStorei(i.UNPACK_SKIP_PIXELS,st),e.pixelStorei(i.UNPACK_SKIP_ROWS,mt)}}function we(U,T,$){let ft=i.TEXTURE_2D;(T.isDataArrayTexture||T.isCompressedArrayTexture)&&(ft=i.TEXTURE_2D_ARRAY),T.isData3DTexture&&(ft=i.TEXTURE_3D);let lt=le(U,T),vt=T.source;e.bindTexture(ft,U.__webglTexture,i.TEXTURE0+$);let Mt=n.get(vt);if(vt.version!==Mt.__version||lt===!0){if(e.activeTexture(i.TEXTURE0+$),(typeof ImageBitmap<"u"&&T.image instanceof ImageBitmap)===!1){let ut=ve.getPrimaries(ve.workingColorSpace),kt=T.colorSpace===ws?null:ve.getPrimaries(T.colorSpace),te=T.colorSpace===ws||ut===kt?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,T.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,T.premultiplyAlpha),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,te)}e.pixelStorei(i.UNPACK_ALIGNMENT,T.unpackAlignment);let st=_(T.image,!1,s.maxTextureSize);st=Vt(T,st);let mt=r.convert(T.format,T.colorSpace),G=r.convert(T.type),ot=M(T.internalFormat,mt,G,T.normalized,T.colorSpace,T.isVideoTexture);ae(ft,T);let it,At=T.mipmaps,yt=T.isVideoTexture!==!0,wt=Mt.__version===void 0||lt===!0,Ht=vt.dataReady,Qt=w(T,st);if(T.isDepthTexture)ot=y(T.format===bs,T.type),wt&&(yt?e.texStorage2D(i.TEXTURE_2D,1,ot,st.width,st.height):e.texImage2D(i.TEXTURE_2D,0,ot,st.width,st.height,0,mt,G,null));else if(T.isDataTexture)if(At.length>0){yt&&wt&&e.texStorage2D(i.TEXTURE_2D,Qt,ot,At[0].width,At[0].height);for(let ut=0,kt=At.length;ut<kt;ut++)it=At[ut],yt?Ht&&e.texSubImage2D(i.TEXTURE_2D,ut,0,0,it.width,it.height,mt,G,it.data):e.texImage2D(i.TEXTURE_2D,ut,ot,it.width,it.height,0,mt,G,it.data);T.generateMipmaps=!1}else yt?(wt&&e.texStorage2D(i.TEXTURE_2D,Qt,ot,st.width,st.height),Ht&&xe(T,st,mt,G)):e.texImage2D(i.TEXTURE_2D,0,ot,st.width,st.height,0,mt,G,st.data);else if(T.isCompressedTexture)if(T.isCompressedArrayTexture){yt&&wt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Qt,ot,At[0].width,At[0].height,st.depth);for(let ut=0,kt=At.length;ut<kt;ut++)if(it=At[ut],T.format!==Ui)if(mt!==null)if(yt){if(Ht)if(T.layerUpdates.size>0){let te=Qf(it.width,it.height,T.format,T.type);for(let Ct of T.layerUpdates){let he=it.data.subarray(Ct*te/it.data.BYTES_PER_ELEMENT,(Ct+1)*te/it.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ut,0,0,Ct,it.width,it.height,1,mt,he)}}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ut,0,0,0,it.width,it.height,st.depth,mt,it.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ut,ot,it.width,it.height,st.depth,0,it.data,0,0);else Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else yt?Ht&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,ut,0,0,0,it.width,it.height,st.depth,mt,G,it.data):e.texImage3D(i.TEXTURE_2D_ARRAY,ut,ot,it.width,it.height,st.depth,0,mt,G,it.data);T.layerUpdates.size>0&&T.clearLayerUpdates()}else{yt&&wt&&e.texStorage2D(i.TEXTURE_2D,Qt,ot,At[0].width,At[0].height);for(let ut=0,kt=At.length;ut<kt;ut++)it=At[ut],T.format!==Ui?mt!==null?yt?Ht&&e.compressedTexSubImage2D(i.TEXTURE_2D,ut,0,0,it.width,it.height,mt,it.data):e.compressedTexImage2D(i.TEXTURE_2D,ut,ot,it.width,it.height,0,it.data):Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):yt?Ht&&e.texSubImage2D(i.TEXTURE_2D,ut,0,0,it.width,it.height,mt,G,it.data):e.texImage2D(i.TEXTURE_2D,ut,ot,it.width,it.height,0,mt,G,it.data)}else if(T.isDataArrayTexture)if(yt){if(wt&&e.texStorage3D(i.TEXTURE_2D_ARRAY,Qt,ot,st.width,st.height,st.depth),Ht)if(T.layerUpdates.size>0){let ut=Qf(st.width,st.height,T.format,T.type);for(let kt of T.layerUpdates){let te=st.data.subarray(kt*ut/st.data.BYTES_PER_ELEMENT,(kt+1)*ut/st.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,kt,st.width,st.height,1,mt,G,te)}T.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,st.width,st.height,st.depth,mt,G,st.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,ot,st.width,st.height,st.depth,0,mt,G,st.data);else if(T.isData3DTexture)yt?(wt&&e.texStorage3D(i.TEXTURE_3D,Qt,ot,st.width,st.height,st.depth),Ht&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,st.width,st.height,st.depth,mt,G,st.data)):e.texImage3D(i.TEXTURE_3D,0,ot,st.width,st.height,st.depth,0,mt,G,st.data);else if(T.isFramebufferTexture){if(wt)if(yt)e.texStorage2D(i.TEXTURE_2D,Qt,ot,st.width,st.height);else{let ut=st.width,kt=st.height;for(let te=0;te<Qt;te++)e.texImage2D(i.TEXTURE_2D,te,ot,ut,kt,0,mt,G,null),ut>>=1,kt>>=1}}else if(T.isHTMLTexture){if("texElementImage2D"in i){let ut=i.canvas;if(ut.hasAttribute("layoutsubtree")||ut.setAttribute("layoutsubtree","true"),st.parentNode!==ut){ut.appendChild(st),u.add(T),ut.onpaint=kt=>{let te=kt.changedElements;for(let Ct of u)te.includes(Ct.image)&&(Ct.needsUpdate=!0)},ut.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,st);else{let te=i.RGBA,Ct=i.RGBA,he=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,te,Ct,he,st)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(At.length>0){if(yt&&wt){let ut=qt(At[0]);e.texStorage2D(i.TEXTURE_2D,Qt,ot,ut.width,ut.height)}for(let ut=0,kt=At.length;ut<kt;ut++)it=At[ut],yt?Ht&&e.texSubImage2D(i.TEXTURE_2D,ut,0,0,mt,G,it):e.texImage2D(i.TEXTURE_2D,ut,ot,mt,G,it);T.generateMipmaps=!1}else if(yt){if(wt){let ut=qt(st);e.texStorage2D(i.TEXTURE_2D,Qt,ot,ut.width,ut.height)}Ht&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,mt,G,st)}else e.texImage2D(i.TEXTURE_2D,0,ot,mt,G,st);b(T)&&T.mipmapsAutoUpdate===!0&&x(ft),Mt.__version=vt.version,T.onUpdate&&T.onUpdate(T)}U.__version=T.version}function tn(U,T,$){if(T.image.length!==6)return;let ft=le(U,T),lt=T.source;e.bindTexture(i.TEXTURE_CUBE_MAP,U.__webglTexture,i.TEXTURE0+$);let vt=n.get(lt);if(lt.version!==vt.__version||ft===!0){e.activeTexture(i.TEXTURE0+$);let Mt=ve.getPrimaries(ve.workingColorSpace),nt=T.colorSpace===ws?null:ve.getPrimaries(T.colorSpace),st=T.colorSpace===ws||Mt===nt?i.NONE:i.BROWSER_DEFAULT_WEBGL;e.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,T.flipY),e.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,T.premultiplyAlpha),e.pixelStorei(i.UNPACK_ALIGNMENT,T.unpackAlignment),e.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,st);let mt=T.isCompressedTexture||T.image[0].isCompressedTexture,G=T.image[0]&&T.image[0].isDataTexture,ot=[];for(let Ct=0;Ct<6;Ct++)!mt&&!G?ot[Ct]=_(T.image[Ct],!0,s.maxCubemapSize):ot[Ct]=G?T.image[Ct].image:T.image[Ct],ot[Ct]=Vt(T,ot[Ct]);let it=ot[0],At=r.convert(T.format,T.colorSpace),yt=r.convert(T.type),wt=M(T.internalFormat,At,yt,T.normalized,T.colorSpace),Ht=T.isVideoTexture!==!0,Qt=vt.__version===void 0||ft===!0,ut=lt.dataReady,kt=w(T,it);ae(i.TEXTURE_CUBE_MAP,T);let te;if(T.isDepthTexture){if(wt=y(T.format===bs,T.type),Qt)if(Ht)e.texStorage2D(i.TEXTURE_CUBE_MAP,1,wt,it.width,it.height);else for(let Ct=0;Ct<6;Ct++)e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,wt,it.width,it.height,0,At,yt,null)}else if(mt){Ht&&Qt&&e.texStorage2D(i.TEXTURE_CUBE_MAP,kt,wt,it.width,it.height);for(let Ct=0;Ct<6;Ct++){te=ot[Ct].mipmaps;for(let he=0;he<te.length;he++){let We=te[he];T.format!==Ui?At!==null?Ht?ut&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,0,0,We.width,We.height,At,We.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,wt,We.width,We.height,0,We.data):Yt("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Ht?ut&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,0,0,We.width,We.height,At,yt,We.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he,wt,We.width,We.height,0,At,yt,We.data)}}}else{if(te=T.mipmaps,Ht&&Qt){te.length>0&&kt++;let Ct=qt(ot[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,kt,wt,Ct.width,Ct.height)}for(let Ct=0;Ct<6;Ct++)if(G){Ht?ut&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,ot[Ct].width,ot[Ct].height,At,yt,ot[Ct].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,wt,ot[Ct].width,ot[Ct].height,0,At,yt,ot[Ct].data);for(let he=0;he<te.length;he++){let zn=te[he].image[Ct].image;Ht?ut&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,0,0,zn.width,zn.height,At,yt,zn.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,wt,zn.width,zn.height,0,At,yt,zn.data)}}else{Ht?ut&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,0,0,At,yt,ot[Ct]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,0,wt,At,yt,ot[Ct]);for(let he=0;he<te.length;he++){let We=te[he];Ht?ut&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,0,0,At,yt,We.image[Ct]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ct,he+1,wt,At,yt,We.image[Ct])}}}b(T)&&T.mipmapsAutoUpdate===!0&&x(i.TEXTURE_CUBE_MAP),vt.__version=lt.version,T.onUpdate&&T.onUpdate(T)}U.__version=T.version}function ke(U,T,$,ft,lt,vt){let Mt=r.convert($.format,$.colorSpace),nt=r.convert($.type),st=M($.internalFormat,Mt,nt,$.normalized,$.colorSpace),mt=n.get(T),G=n.get($);if(G.__renderTarget=T,!mt.__hasExternalTextures){let ot=Math.max(1,T.width>>vt),it=Math.max(1,T.height>>vt);lt===i.TEXTURE_3D||lt===i.TEXTURE_2D_ARRAY?e.texImage3D(lt,vt,st,ot,it,T.depth,0,Mt,nt,null):e.texImage2D(lt,vt,st,ot,it,0,Mt,nt,null)}e.bindFramebuffer(i.FRAMEBUFFER,U),St(T)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ft,lt,G.__webglTexture,0,oe(T)):(lt===i.TEXTURE_2D||lt>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&lt<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ft,lt,G.__webglTexture,vt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function An(U,T,$){if(i.bindRenderbuffer(i.RENDERBUFFER,U),T.depthBuffer){let ft=T.depthTexture,lt=ft&&ft.isDepthTexture?ft.type:null,vt=y(T.stencilBuffer,lt),Mt=T.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;St(T)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(T),vt,T.width,T.height):$?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(T),vt,T.width,T.height):i.renderbufferStorage(i.RENDERBUFFER,vt,T.width,T.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,Mt,i.RENDERBUFFER,U)}else{let ft=T.textures;for(let lt=0;lt<ft.length;lt++){let vt=ft[lt],Mt=r.convert(vt.format,vt.colorSpace),nt=r.convert(vt.type),st=M(vt.internalFormat,Mt,nt,vt.normalized,vt.colorSpace);St(T)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,oe(T),st,T.width,T.height):$?i.renderbufferStorageMultisample(i.RENDERBUFFER,oe(T),st,T.width,T.height):i.renderbufferStorage(i.RENDERBUFFER,st,T.width,T.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Se(U,T,$){let ft=T.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(i.FRAMEBUFFER,U),!(T.depthTexture&&T.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let lt=n.get(T.depthTexture);lt.__renderTarget=T;let vt=ft?T.depthTexture.image[0]:T.depthTexture.image;(!lt.__webglTexture||vt.width!==T.width||vt.height!==T.height)&&(vt.width=T.width,vt.height=T.height,T.depthTexture.needsUpdate=!0),ft?_t(T.depthTexture,0):gt(T.depthTexture,0);let Mt=lt.__webglTexture,nt=oe(T),st=ft?i.TEXTURE_CUBE_MAP_POSITIVE_X+$:i.TEXTURE_2D,mt=T.depthTexture.format===bs?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(T.depthTexture.format===ms)St(T)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,mt,st,Mt,0,nt):i.framebufferTexture2D(i.FRAMEBUFFER,mt,st,Mt,0);else if(T.depthTexture.format===bs)St(T)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,mt,st,Mt,0,nt):i.framebufferTexture2D(i.FRAMEBUFFER,mt,st,Mt,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function yn(U){let T=n.get(U),$=U.isWebGLCubeRenderTarget===!0;if(T.__boundDepthTexture!==U.depthTexture){let ft=U.depthTexture;if(T.__depthDisposeCallback&&T.__depthDisposeCallback(),ft){let lt=()=>{delete T.__boundDepthTexture,delete T.__depthDisposeCallback,ft.removeEventListener("dispose",lt)};ft.addEventListener("dispose",lt),T.__depthDisposeCallback=lt}T.__boundDepthTexture=ft}if(U.depthTexture&&!T.__autoAllocateDepthBuffer)if($)for(let ft=0;ft<6;ft++)Se(T.__webglFramebuffer[ft],U,ft);else U.texture.mipmaps.length>0?Se(T.__webglFramebuffer[0],U,0):Se(T.__webglFramebuffer,U,0);else if($){T.__webglDepthbuffer=[];for(let ft=0;ft<6;ft++)if(e.bindFramebuffer(i.FRAMEBUFFER,T.__webglFramebuffer[ft]),T.__webglDepthbuffer[ft]===void 0)T.__webglDepthbuffer[ft]=i.createRenderbuffer(),An(T.__webglDepthbuffer[ft],U,!1);else{let lt=U.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,vt=T.__webglDepthbuffer[ft];i.bindRenderbuffer(i.RENDERBUFFER,vt),i.framebufferRenderbuffer(i.FRAMEBUFFER,lt,i.RENDERBUFFER,vt)}}else if(U.texture.mipmaps.length>0?e.bindFramebuffer(i.FRAMEBUFFER,T.__webglFramebuffer[0]):e.bindFramebuffer(i.FRAMEBUFFER,T.__webglFramebuffer),T.__webglDepthbuffer===void 0)T.__webglDepthbuffer=i.createRenderbuffer(),An(T.__webglDepthbuffer,U,!1);else{let lt=U.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,vt=T.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,vt),i.framebufferRenderbuffer(i.FRAMEBUFFER,lt,i.RENDERBUFFER,vt)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function en(U,T,$){let ft=n.get(U);T!==void 0&&ke(ft.__webglFramebuffer,U,U.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),$!==void 0&&yn(U)}function cn(U){let T=U.texture,$=n.get(U),ft=n.get(T);U.addEventListener("dispose",k),I(U);let lt=U.textures,vt=U.isWebGLCubeRenderTarget===!0,Mt=lt.length>1;if(Mt||(ft.__webglTexture===void 0&&(ft.__webglTexture=i.createTexture()),ft.__version=T.version,o.memory.textures++),vt){$.__webglFramebuffer=[];for(let nt=0;nt<6;nt++)if(T.mipmaps.length>0){$.__webglFramebuffer[nt]=[];for(let st=0;st<T.mipmaps.length;st++)$.__webglFramebuffer[nt][st]=i.createFramebuffer()}else $.__webglFramebuffer[nt]=i.createFramebuffer()}else{if(T.mipmaps.length>0){$.__webglFramebuffer=[];for(let nt=0;nt<T.mipmaps.length;nt++)$.__webglFramebuffer[nt]=i.createFramebuffer()}else $.__webglFramebuffer=i.createFramebuffer();if(Mt)for(let nt=0,st=lt.length;nt<st;nt++){let mt=n.get(lt[nt]);mt.__webglTexture===void 0&&(mt.__webglTexture=i.createTexture(),o.memory.textures++)}if(U.samples>0&&St(U)===!1){$.__webglMultisampledFramebuffer=i.createFramebuffer(),$.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,$.__webglMultisampledFramebuffer);for(let nt=0;nt<lt.length;nt++){let st=lt[nt];$.__webglColorRenderbuffer[nt]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,$.__webglColorRenderbuffer[nt]);let mt=r.convert(st.format,st.colorSpace),G=r.convert(st.type),ot=M(st.internalFormat,mt,G,st.normalized,st.colorSpace,U.isXRRenderTarget===!0),it=oe(U);i.renderbufferStorageMultisample(i.RENDERBUFFER,it,ot,U.width,U.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+nt,i.RENDERBUFFER,$.__webglColorRenderbuffer[nt])}i.bindRenderbuffer(i.RENDERBUFFER,null),U.depthBuffer&&($.__webglDepthRenderbuffer=i.createRenderbuffer(),An($.__webglDepthRenderbuffer,U,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(vt){e.bindTexture(i.TEXTURE_CUBE_MAP,ft.__webglTexture),ae(i.TEXTURE_CUBE_MAP,T);for(let nt=0;nt<6;nt++)if(T.mipmaps.length>0)for(let st=0;st<T.mipmaps.length;st++)ke($.__webglFramebuffer[nt][st],U,T,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+nt,st);else ke($.__webglFramebuffer[nt],U,T,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+nt,0);b(T)?x(i.TEXTURE_CUBE_MAP):T.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,T.mipmaps.length-1),e.unbindTexture()}else if(Mt){for(let nt=0,st=lt.length;nt<st;nt++){let mt=lt[nt],G=n.get(mt),ot=i.TEXTURE_2D;(U.isWebGL3DRenderTarget||U.isWebGLArrayRenderTarget)&&(ot=U.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(ot,G.__webglTexture),ae(ot,mt),ke($.__webglFramebuffer,U,mt,i.COLOR_ATTACHMENT0+nt,ot,0),b(mt)&&x(ot)}e.unbindTexture()}else{let nt=i.TEXTURE_2D;if((U.isWebGL3DRenderTarget||U.isWebGLArrayRenderTarget)&&(nt=U.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(nt,ft.__webglTexture),ae(nt,T),T.mipmaps.length>0)for(let st=0;st<T.mipmaps.length;st++)ke($.__webglFramebuffer[st],U,T,i.COLOR_ATTACHMENT0,nt,st);else ke($.__webglFramebuffer,U,T,i.COLOR_ATTACHMENT0,nt,0);b(T)?x(nt):T.mipmaps.length>0&&i.texParameteri(nt,i.TEXTURE_MAX_LEVEL,T.mipmaps.length-1),e.unbindTexture()}U.depthBuffer&&yn(U)}function H(U){let T=U.textures;for(let $=0,ft=T.length;$<ft;$++){let lt=T[$];if(b(lt)&&lt.mipmapsAutoUpdate===!0){let vt=S(U),Mt=n.get(lt).__webglTexture;e.bindTexture(vt,Mt),x(vt),e.unbindTexture()}}}let Rt=[];function $t(U){if(U.samples>0){if(St(U)===!1){let T=U.textures,$=U.width,ft=U.height,lt=i.COLOR_BUFFER_BIT,vt=U.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,Mt=n.get(U),nt=T.length>1;if(nt)for(let mt=0;mt<T.length;mt++)e.bindFramebuffer(i.FRAMEBUFFER,Mt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+mt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,Mt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+mt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,Mt.__webglMultisampledFramebuffer),U.texture.mipmaps.length>0?e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Mt.__webglFramebuffer[0]):e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Mt.__webglFramebuffer);for(let mt=0;mt<T.length;mt++){if(U.resolveDepthBuffer&&(U.depthBuffer&&(lt|=i.DEPTH_BUFFER_BIT),U.stencilBuffer&&U.resolveStencilBuffer&&(lt|=i.STENCIL_BUFFER_BIT)),nt){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,Mt.__webglColorRenderbuffer[mt]);let G=n.get(T[mt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,G,0)}i.blitFramebuffer(0,0,$,ft,0,0,$,ft,lt,i.NEAREST),l===!0&&(Rt.length=0,Rt.push(i.COLOR_ATTACHMENT0+mt),U.depthBuffer&&U.storeMultisampledDepthBuffer===!1&&Rt.push(vt),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Rt))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),nt)for(let mt=0;mt<T.length;mt++){e.bindFramebuffer(i.FRAMEBUFFER,Mt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+mt,i.RENDERBUFFER,Mt.__webglColorRenderbuffer[mt]);let G=n.get(T[mt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,Mt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+mt,i.TEXTURE_2D,G,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Mt.__webglMultisampledFramebuffer)}else if(U.depthBuffer&&U.storeMultisampledDepthBuffer===!1&&l){let T=U.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[T])}}}function oe(U){return Math.min(s.maxSamples,U.samples)}function St(U){let T=n.get(U);return U.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&T.__useRenderToTexture!==!1}function Ve(U){let T=o.render.frame;h.get(U)!==T&&(h.set(U,T),U.update())}function Vt(U,T){let $=U.colorSpace,ft=U.format,lt=U.type;return U.isCompressedTexture===!0||U.isVideoTexture===!0||$!==Ko&&$!==ws&&(ve.getTransfer($)===Ne?(ft!==Ui||lt!==di)&&Yt("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):ee("WebGLTextures: Unsupported texture color space:",$)),T}function qt(U){return typeof HTMLImageElement<"u"&&U instanceof HTMLImageElement?(c.width=U.naturalWidth||U.width,c.height=U.naturalHeight||U.height):typeof VideoFrame<"u"&&U instanceof VideoFrame?(c.width=U.displayWidth,c.height=U.displayHeight):(c.width=U.width,c.height=U.height),c}this.allocateTextureUnit=at,this.resetTextureUnits=K,this.getTextureUnits=et,this.setTextureUnits=ht,this.setTexture2D=gt,this.setTexture2DArray=xt,this.setTexture3D=dt,this.setTextureCube=_t,this.rebindTextures=en,this.setupRenderTarget=cn,this.updateRenderTargetMipmap=H,this.updateMultisampleRenderTarget=$t,this.setupDepthRenderbuffer=yn,this.setupFrameBufferTexture=ke,this.useMultisampledRTT=St,this.dispose=z}function A1(i,t){function e(n,s=ws){let r,o=ve.getTransfer(s);if(n===di)return i.UNSIGNED_BYTE;if(n===Sc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===Ac)return i.UNSIGNED_SHORT_5_5_5_1;if(n===kf)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Bf)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===Uf)return i.BYTE;if(n===Of)return i.SHORT;if(n===ao)return i.UNSIGNED_SHORT;if(n===wc)return i.INT;if(n===Fi)return i.UNSIGNED_INT;if(n===wi)return i.FLOAT;if(n===pi)return i.HALF_FLOAT;if(n===zf)return i.ALPHA;if(n===Vf)return i.RGB;if(n===Ui)return i.RGBA;if(n===ms)return i.DEPTH_COMPONENT;if(n===bs)return i.DEPTH_STENCIL;if(n===Tc)return i.RED;if(n===Ec)return i.RED_INTEGER;if(n===Xs)return i.RG;if(n===Cc)return i.RG_INTEGER;if(n===Rc)return i.RGBA_INTEGER;if(n===wa||n===Sa||n===Aa||n===Ta)if(o===Ne)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===wa)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===Sa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Aa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Ta)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===wa)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===Sa)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Aa)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Ta)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===Pc||n===Ic||n===Nc||n===Lc)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===Pc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===Ic)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===Nc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===Lc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Dc||n===Fc||n===Uc||n===Oc||n===kc||n===Ea||n===Bc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Dc||n===Fc)return o===Ne?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===Uc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===Oc)return r.COMPRESSED_R11_EAC;if(n===kc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Ea)return r.COMPRESSED_RG11_EAC;if(n===Bc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===zc||n===Vc||n===Gc||n===Hc||n===Wc||n===Xc||n===qc||n===$c||n===Yc||n===Zc||n===Jc||n===Kc||n===jc||n===Qc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===zc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Vc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Gc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Hc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Wc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Xc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===qc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===$c)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Yc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Zc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Jc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Kc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===jc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Qc)return o===Ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===th||n===eh||n===nh)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===th)return o===Ne?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===eh)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===nh)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===ih||n===sh||n===Ca||n===rh)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===ih)return r.COMPRESSED_RED_RGTC1_EXT;if(n===sh)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Ca)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===rh)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===cr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var T1=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,E1=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,ld=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let n=new ha(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=n}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new In({vertexShader:T1,fragmentShader:E1,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new Re(new ys(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},cd=class extends Zi{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,f=null,d=null,p=null,v=typeof XRWebGLBinding<"u",g=new ld,m={},_=e.getContextAttributes(),b=null,x=null,S=[],M=[],y=new ce,w=null,I=null,C=new qn;C.viewport=new Ce;let L=new qn;L.viewport=new Ce;let k=[C,L],F=new _c,E=null,z=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Q){let gt=S[Q];return gt===void 0&&(gt=new to,S[Q]=gt),gt.getTargetRaySpace()},this.getControllerGrip=function(Q){let gt=S[Q];return gt===void 0&&(gt=new to,S[Q]=gt),gt.getGripSpace()},this.getHand=function(Q){let gt=S[Q];return gt===void 0&&(gt=new to,S[Q]=gt),gt.getHandSpace()};function X(Q){let gt=M.indexOf(Q.inputSource);if(gt===-1)return;let xt=S[gt];xt!==void 0&&(xt.update(Q.inputSource,Q.frame,c||o),xt.dispatchEvent({type:Q.type,data:Q.inputSource}))}function V(){s.removeEventListener("select",X),s.removeEventListener("selectstart",X),s.removeEventListener("selectend",X),s.removeEventListener("squeeze",X),s.removeEventListener("squeezestart",X),s.removeEventListener("squeezeend",X),s.removeEventListener("end",V),s.removeEventListener("inputsourceschange",rt);for(let Q=0;Q<S.length;Q++){let gt=M[Q];gt!==null&&(M[Q]=null,S[Q].disconnect(gt))}E=null,z=null,g.reset();for(let Q in m)delete m[Q];if(t.setRenderTarget(b),d=null,f=null,u=null,s=null,x=null,at.stop(),n.isPresenting=!1,t.setPixelRatio(w),t.setSize(y.width,y.height,!1),I!==null){let Q=I.camera;Q.fov=I.fov,Q.zoom=I.zoom,Q.updateProjectionMatrix(),I=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Q){r=Q,n.isPresenting===!0&&Yt("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Q){a=Q,n.isPresenting===!0&&Yt("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(Q){c=Q},this.getBaseLayer=function(){return f!==null?f:d},this.getBinding=function(){return u===null&&v&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(Q){if(s=Q,s!==null){if(b=t.getRenderTarget(),s.addEventListener("select",X),s.addEventListener("selectstart",X),s.addEventListener("selectend",X),s.addEventListener("squeeze",X),s.addEventListener("squeezestart",X),s.addEventListener("squeezeend",X),s.addEventListener("end",V),s.addEventListener("inputsourceschange",rt),_.xrCompatible!==!0&&await e.makeXRCompatible(),w=t.getPixelRatio(),t.getSize(y),v&&"createProjectionLayer"in XRWebGLBinding.prototype){let xt=null,dt=null,_t=null;_.depth&&(_t=_.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,xt=_.stencil?bs:ms,dt=_.stencil?cr:Fi);let Gt={colorFormat:e.RGBA8,depthFormat:_t,scaleFactor:r};u=this.getBinding(),f=u.createProjectionLayer(Gt),s.updateRenderState({layers:[f]}),t.setPixelRatio(1),t.setSize(f.textureWidth,f.textureHeight,!1),x=new Zn(f.textureWidth,f.textureHeight,{format:Ui,type:di,depthTexture:new gs(f.textureWidth,f.textureHeight,dt,void 0,void 0,void 0,void 0,void 0,void 0,xt),stencilBuffer:_.stencil,colorSpace:t.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}else{let xt={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:r};d=new XRWebGLLayer(s,e,xt),s.updateRenderState({baseLayer:d}),t.setPixelRatio(1),t.setSize(d.framebufferWidth,d.framebufferHeight,!1),x=new Zn(d.framebufferWidth,d.framebufferHeight,{format:Ui,type:di,colorSpace:t.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}x.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),at.setContext(s),at.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return g.getDepthTexture()};function rt(Q){for(let gt=0;gt<Q.removed.length;gt++){let xt=Q.removed[gt],dt=M.indexOf(xt);dt>=0&&(M[dt]=null,S[dt].disconnect(xt))}for(let gt=0;gt<Q.added.length;gt++){let xt=Q.added[gt],dt=M.indexOf(xt);if(dt===-1){for(let Gt=0;Gt<S.length;Gt++)if(Gt>=M.length){M.push(xt),dt=Gt;break}else if(M[Gt]===null){M[Gt]=xt,dt=Gt;break}if(dt===-1)break}let _t=S[dt];_t&&_t.connect(xt)}}function Y(Q,gt){gt===null?Q.matrixWorld.copy(Q.matrix):Q.matrixWorld.multiplyMatrices(gt.matrixWorld,Q.matrix),Q.matrixWorldInverse.copy(Q.matrixWorld).invert()}this.updateCamera=function(Q){if(s===null)return;let gt=Q.near,xt=Q.far;g.texture!==null&&(g.depthNear>0&&(gt=g.depthNear),g.depthFar>0&&(xt=g.depthFar)),F.near=L.near=C.near=gt,F.far=L.far=C.far=xt,(E!==F.near||z!==F.far)&&(s.updateRenderState({depthNear:F.near,depthFar:F.far}),E=F.near,z=F.far),F.layers.mask=Q.layers.mask|6,C.layers.mask=F.layers.mask&-5,L.layers.mask=F.layers.mask&-3;let dt=Q.parent,_t=F.cameras;Y(F,dt);for(let Gt=0;Gt<_t.length;Gt++)Y(_t[Gt],dt);F.projectionMatrix.copy(C.projectionMatrix),F.projectionMatrixInverse.copy(C.projectionMatrixInverse),I===null&&Q.isPerspectiveCamera&&(I={camera:Q,fov:Q.fov,zoom:Q.zoom}),K(Q,F,dt)};function K(Q,gt,xt){xt===null?Q.matrix.copy(gt.matrixWorld):(Q.matrix.copy(xt.matrixWorld),Q.matrix.invert(),Q.matrix.multiply(gt.matrixWorld)),Q.matrix.decompose(Q.position,Q.quaternion,Q.scale),Q.updateMatrixWorld(!0),Q.projectionMatrix.copy(gt.projectionMatrix),Q.projectionMatrixInverse.copy(gt.projectionMatrixInverse),Q.isPerspectiveCamera&&(Q.fov=jl*2*Math.atan(1/Q.projectionMatrix.elements[5]),Q.zoom=1)}this.getCamera=function(){return F},this.getFoveation=function(){if(!(f===null&&d===null))return l},this.setFoveation=function(Q){l=Q,f!==null&&(f.fixedFoveation=Q),d!==null&&d.fixedFoveation!==void 0&&(d.fixedFoveation=Q)},this.hasDepthSensing=function(){return g.texture!==null},this.getDepthSensingMesh=function(){return g.getMesh(F)},this.getCameraTexture=function(Q){return m[Q]};let et=null;function ht(Q,gt){if(h=gt.getViewerPose(c||o),p=gt,h!==null){let xt=h.views;d!==null&&(t.setRenderTargetFramebuffer(x,d.framebuffer),t.setRenderTarget(x));let dt=!1;xt.length!==F.cameras.length&&(F.cameras.length=0,dt=!0);for(let Ut=0;Ut<xt.length;Ut++){let ae=xt[Ut],le=null;if(d!==null)le=d.getViewport(ae);else{let xe=u.getViewSubImage(f,ae);le=xe.viewport,Ut===0&&(t.setRenderTargetTextures(x,xe.colorTexture,xe.depthStencilTexture),t.setRenderTarget(x))}let ie=k[Ut];ie===void 0&&(ie=new qn,ie.layers.enable(Ut),ie.viewport=new Ce,k[Ut]=ie),ie.matrix.fromArray(ae.transform.matrix),ie.matrix.decompose(ie.position,ie.quaternion,ie.scale),ie.projectionMatrix.fromArray(ae.projectionMatrix),ie.projectionMatrixInverse.copy(ie.projectionMatrix).invert(),ie.viewport.set(le.x,le.y,le.width,le.height),Ut===0&&(F.matrix.copy(ie.matrix),F.matrix.decompose(F.position,F.quaternion,F.scale)),dt===!0&&F.cameras.push(ie)}let _t=s.enabledFeatures;if(_t&&_t.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&v){u=n.getBinding();let Ut=u.getDepthInformation(xt[0]);Ut&&Ut.isValid&&Ut.texture&&g.init(Ut,s.renderState)}if(_t&&_t.includes("camera-access")&&v){t.state.unbindTexture(),u=n.getBinding();for(let Ut=0;Ut<xt.length;Ut++){let ae=xt[Ut].camera;if(ae){let le=m[ae];le||(le=new ha,m[ae]=le);let ie=u.getCameraImage(ae);le.sourceTexture=ie}}}}for(let xt=0;xt<S.length;xt++){let dt=M[xt],_t=S[xt];dt!==null&&_t!==void 0&&_t.update(dt,gt,c||o)}et&&et(Q,gt),gt.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:gt}),p=null}let at=new Qg;at.setAnimationLoop(ht),this.setAnimationLoop=function(Q){et=Q},this.dispose=function(){}}},C1=new Xt,c0=new Zt;c0.set(-1,0,0,0,1,0,0,0,1);function R1(i,t){function e(g,m){g.matrixAutoUpdate===!0&&g.updateMatrix(),m.value.copy(g.matrix)}function n(g,m){m.color.getRGB(g.fogColor.value,Jf(i)),m.isFog?(g.fogNear.value=m.near,g.fogFar.value=m.far):m.isFogExp2&&(g.fogDensity.value=m.density)}function s(g,m,_,b,x){m.isNodeMaterial?m.uniformsNeedUpdate=!1:m.isMeshBasicMaterial?r(g,m):m.isMeshLambertMaterial?(r(g,m),m.envMap&&(g.envMapIntensity.value=m.envMapIntensity)):m.isMeshToonMaterial?(r(g,m),u(g,m)):m.isMeshPhongMaterial?(r(g,m),h(g,m),m.envMap&&(g.envMapIntensity.value=m.envMapIntensity)):m.isMeshStandardMaterial?(r(g,m),f(g,m),m.isMeshPhysicalMaterial&&d(g,m,x)):m.isMeshMatcapMaterial?(r(g,m),p(g,m)):m.isMeshDepthMaterial?r(g,m):m.isMeshDistanceMaterial?(r(g,m),v(g,m)):m.isMeshNormalMaterial?r(g,m):m.isLineBasicMaterial?(o(g,m),m.isLineDashedMaterial&&a(g,m)):m.isPointsMaterial?l(g,m,_,b):m.isSpriteMaterial?c(g,m):m.isShadowMaterial?(g.color.value.copy(m.color),g.opacity.value=m.opacity):m.isShaderMaterial&&(m.uniformsNeedUpdate=!1)}function r(g,m){g.opacity.value=m.opacity,m.color&&g.diffuse.value.copy(m.color),m.emissive&&g.emissive.value.copy(m.emissive).multiplyScalar(m.emissiveIntensity),m.map&&(g.map.value=m.map,e(m.map,g.mapTransform)),m.alphaMap&&(g.alphaMap.value=m.alphaMap,e(m.alphaMap,g.alphaMapTransform)),m.bumpMap&&(g.bumpMap.value=m.bumpMap,e(m.bumpMap,g.bumpMapTransform),g.bumpScale.value=m.bumpScale,m.side===Dn&&(g.bumpScale.value*=-1)),m.normalMap&&(g.normalMap.value=m.normalMap,e(m.normalMap,g.normalMapTransform),g.normalScale.value.copy(m.normalScale),m.side===Dn&&g.normalScale.value.negate()),m.displacementMap&&(g.displacementMap.value=m.displacementMap,e(m.displacementMap,g.displacementMapTransform),g.displacementScale.value=m.displacementScale,g.displacementBias.value=m.displacementBias),m.emissiveMap&&(g.emissiveMap.value=m.emissiveMap,e(m.emissiveMap,g.emissiveMapTransform)),m.specularMap&&(g.specularMap.value=m.specularMap,e(m.specularMap,g.specularMapTransform)),m.alphaTest>0&&(g.alphaTest.value=m.alphaTest);let _=t.get(m),b=_.envMap,x=_.envMapRotation;b&&(g.envMap.value=b,g.envMapRotation.value.setFromMatrix4(C1.makeRotationFromEuler(x)).transpose(),b.isCubeTexture&&b.isRenderTargetTexture===!1&&g.envMapRotation.value.premultiply(c0),g.reflectivity.value=m.reflectivity,g.ior.value=m.ior,g.refractionRatio.value=m.refractionRatio),m.lightMap&&(g.lightMap.value=m.lightMap,g.lightMapIntensity.value=m.lightMapIntensity,e(m.lightMap,g.lightMapTransform)),m.aoMap&&(g.aoMap.value=m.aoMap,g.aoMapIntensity.value=m.aoMapIntensity,e(m.aoMap,g.aoMapTransform))}function o(g,m){g.diffuse.value.copy(m.color),g.opacity.value=m.opacity,m.map&&(g.map.value=m.map,e(m.map,g.mapTransform))}function a(g,m){g.dashSize.value=m.dashSize,g.totalSize.value=m.dashSize+m.gapSize,g.scale.value=m.scale}function l(g,m,_,b){g.diffuse.value.copy(m.color),g.opacity.value=m.opacity,g.size.value=m.size*_,g.scale.value=b*.5,m.map&&(g.map.value=m.map,e(m.map,g.uvTransform)),m.alphaMap&&(g.alphaMap.value=m.alphaMap,e(m.alphaMap,g.alphaMapTransform)),m.alphaTest>0&&(g.alphaTest.value=m.alphaTest)}function c(g,m){g.diffuse.value.copy(m.color),g.opacity.value=m.opacity,g.rotation.value=m.rotation,m.map&&(g.map.value=m.map,e(m.map,g.mapTransform)),m.alphaMap&&(g.alphaMap.value=m.alphaMap,e(m.alphaMap,g.alphaMapTransform)),m.alphaTest>0&&(g.alphaTest.value=m.alphaTest)}function h(g,m){g.specular.value.copy(m.specular),g.shininess.value=Math.max(m.shininess,1e-4)}function u(g,m){m.gradientMap&&(g.gradientMap.value=m.gradientMap)}function f(g,m){g.metalness.value=m.metalness,m.metalnessMap&&(g.metalnessMap.value=m.metalnessMap,e(m.metalnessMap,g.metalnessMapTransform)),g.roughness.value=m.roughness,m.roughnessMap&&(g.roughnessMap.value=m.roughnessMap,e(m.roughnessMap,g.roughnessMapTransform)),m.envMap&&(g.envMapIntensity.value=m.envMapIntensity)}function d(g,m,_){g.ior.value=m.ior,m.diffuseRoughness>0&&(g.diffuseRoughness.value=m.diffuseRoughness,m.diffuseRoughnessMap&&(g.diffuseRoughnessMap.value=m.diffuseRoughnessMap,e(m.diffuseRoughnessMap,g.diffuseRoughnessMapTransform))),m.sheen>0&&(g.sheenColor.value.copy(m.sheenColor).multiplyScalar(m.sheen),g.sheenRoughness.value=m.sheenRoughness,m.sheenColorMap&&(g.sheenColorMap.value=m.sheenColorMap,e(m.sheenColorMap,g.sheenColorMapTransform)),m.sheenRoughnessMap&&(g.sheenRoughnessMap.value=m.sheenRoughnessMap,e(m.sheenRoughnessMap,g.sheenRoughnessMapTransform))),m.clearcoat>0&&(g.clearcoat.value=m.clearcoat,g.clearcoatRoughness.value=m.clearcoatRoughness,m.clearcoatMap&&(g.clearcoatMap.value=m.clearcoatMap,e(m.clearcoatMap,g.clearcoatMapTransform)),m.clearcoatRoughnessMap&&(g.clearcoatRoughnessMap.value=m.clearcoatRoughnessMap,e(m.clearcoatRoughnessMap,g.clearcoatRoughnessMapTransform)),m.clearcoatNormalMap&&(g.clearcoatNormalMap.value=m.clearcoatNormalMap,e(m.clearcoatNormalMap,g.clearcoatNormalMapTransform),g.clearcoatNormalScale.value.copy(m.clearcoatNormalScale),m.side===Dn&&g.clearcoatNormalScale.value.negate())),m.dispersion>0&&(g.dispersion.value=m.dispersion),m.retroreflectivity>0&&(g.retroreflectivity.value=m.retroreflectivity),m.iridescence>0&&(g.iridescence.value=m.iridescence,g.iridescenceIOR.value=m.iridescenceIOR,g.iridescenceThicknessMinimum.value=m.iridescenceThicknessMinimum,g.iridescenceThicknessMaximum.value=m.iridescenceThicknessMaximum,m.iridescenceMap&&(g.iridescenceMap.value=m.iridescenceMap,e(m.iridescenceMap,g.iridescenceMapTransform)),m.iridescenceThicknessMap&&(g.iridescenceThicknessMap.value=m.iridescenceThicknessMap,e(m.iridescenceThicknessMap,g.iridescenceThicknessMapTransform))),m.transmission>0&&(g.transmission.value=m.transmission,g.transmissionSamplerMap.value=_.texture,g.transmissionSamplerSize.value.set(_.width,_.height),m.transmissionMap&&(g.transmissionMap.value=m.transmissionMap,e(m.transmissionMap,g.transmissionMapTransform)),g.thickness.value=m.thickness,m.thicknessMap&&(g.thicknessMap.value=m.thicknessMap,e(m.thicknessMap,g.thicknessMapTransform)),g.attenuationDistance.value=m.attenuationDistance,g.attenuationColor.value.copy(m.attenuationColor)),m.anisotropy>0&&(g.anisotropyVector.value.set(m.anisotropy*Math.cos(m.anisotropyRotation),m.anisotropy*Math.sin(m.anisotropyRotation)),m.anisotropyMap&&(g.anisotropyMap.value=m.anisotropyMap,e(m.anisotropyMap,g.anisotropyMapTransform))),g.specularIntensity.value=m.specularIntensity,g.specularColor.value.copy(m.specularColor),m.specularColorMap&&(g.specularColorMap.value=m.specularColorMap,e(m.specularColorMap,g.specularColorMapTransform)),m.specularIntensityMap&&(g.specularIntensityMap.value=m.specularIntensityMap,e(m.specularIntensityMap,g.specularIntensityMapTransform))}function p(g,m){m.matcap&&(g.matcap.value=m.matcap)}function v(g,m){let _=t.get(m).light;g.referencePosition.value.setFromMatrixPosition(_.matrixWorld),g.nearDistance.value=_.shadow.camera.near,g.farDistance.value=_.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function P1(i,t,e,n){let s={},r={};function o(_,b){let x=b.program;n.uniformBlockBinding(_,x,s[_.id])}function a(_,b){let x=s[_.id];x===void 0&&(p(_),x=l(_),s[_.id]=x,_.addEventListener("dispose",g));let S=b.program;n.updateUBOMapping(_,S);let M=t.render.frame;r[_.id]!==M&&(c(_),r[_.id]=M)}function l(_){let b=i.createBuffer(),x=_.__size,S=_.usage;return i.bindBuffer(i.UNIFORM_BUFFER,b),i.bufferData(i.UNIFORM_BUFFER,x,S),i.bindBuffer(i.UNIFORM_BUFFER,null),b}function c(_){let b=s[_.id],x=_.uniforms,S=_.__cache;i.bindBuffer(i.UNIFORM_BUFFER,b);for(let M=0,y=x.length;M<y;M++){let w=x[M];if(Array.isArray(w))for(let I=0,C=w.length;I<C;I++)h(w[I],M,I,S);else h(w,M,0,S)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(_,b,x,S){if(f(_,b,x,S)===!0){let M=_.__offset,y=_.value;if(Array.isArray(y)){let w=0;for(let I=0;I<y.length;I++){let C=y[I],L=v(C,!0);u(C,_.__data,w),w+=L.storage/Float32Array.BYTES_PER_ELEMENT}}else u(y,_.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,M,_.__data)}}function u(_,b,x){typeof _=="number"||typeof _=="boolean"?b[x]=_:_.isMatrix3?(b[x]=_.elements[0],b[x+1]=_.elements[1],b[x+2]=_.elements[2],b[x+3]=0,b[x+4]=_.elements[3],b[x+5]=_.elements[4],b[x+6]=_.elements[5],b[x+7]=0,b[x+8]=_.elements[6],b[x+9]=_.elements[7],b[x+10]=_.elements[8],b[x+11]=0):ArrayBuffer.isView(_)?b.set(_.subarray(0,b.length-x),x):_.toArray(b,x)}function f(_,b,x,S){let M=_.value,y=b+"_"+x;if(Array.isArray(M)){S[y]===void 0&&(S[y]=[]);let w=S[y],I=!1;for(let C=0;C<M.length;C++)d(M[C],w,C)===!0&&(I=!0);return I}return d(M,S,y)}function d(_,b,x){if(b[x]===void 0)return typeof _=="number"||typeof _=="boolean"?b[x]=_:ArrayBuffer.isView(_)?b[x]=_.slice():b[x]=_.clone(),!0;{let S=b[x];if(typeof _=="number"||typeof _=="boolean"){if(S!==_)return b[x]=_,!0}else{if(ArrayBuffer.isView(_))return!0;if(S.equals(_)===!1)return S.copy(_),!0}}return!1}function p(_){let b=_.uniforms,x=0,S=16;for(let y=0,w=b.length;y<w;y++){let I=Array.isArray(b[y])?b[y]:[b[y]];for(let C=0,L=I.length;C<L;C++){let k=I[C],F=Array.isArray(k.value)?k.value:[k.value],E=Array.isArray(b[y])||Array.isArray(k.value),z=x;for(let V=0,rt=F.length;V<rt;V++){let Y=F[V],K=v(Y,E),et=x%S,ht=et%K.boundary,at=et+ht;x+=ht,at!==0&&S-at<K.storage&&(x+=S-at),V===0&&(z=x),x+=K.storage}let X=k.type==="int"?Int32Array:k.type==="uint"?Uint32Array:Float32Array;k.__data=new X((x-z)/Float32Array.BYTES_PER_ELEMENT),k.__offset=z}}let M=x%S;return M>0&&(x+=S-M),_.__size=x,_.__cache={},this}function v(_,b){let x={boundary:0,storage:0};return typeof _=="number"||typeof _=="boolean"?(x.boundary=4,x.storage=4):_.isVector2?(x.boundary=8,x.storage=8):_.isVector3||_.isColor?(x.boundary=16,x.storage=12):_.isVector4?(x.boundary=16,x.storage=16):_.isMatrix3?(x.boundary=16,x.storage=48):_.isMatrix4?(x.boundary=16,x.storage=64):_.isTexture?Yt("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(_)?(x.boundary=16,x.storage=_.byteLength):Yt("WebGLRenderer: Unsupported uniform value type.",_),b===!0&&(x.boundary=16,x.storage=Math.ceil(x.storage/16)*16),x}function g(_){let b=_.target;b.removeEventListener("dispose",g),i.deleteBuffer(s[b.id]),delete s[b.id],delete r[b.id]}function m(){for(let _ in s)i.deleteBuffer(s[_]);s={},r={}}return{bind:o,update:a,dispose:m}}var I1=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Qi=null;function N1(){return Qi===null&&(Qi=new ra(I1,16,16,Xs,pi),Qi.name="DFG_LUT",Qi.minFilter=$n,Qi.magFilter=$n,Qi.wrapS=Yi,Qi.wrapT=Yi,Qi.generateMipmaps=!1,Qi.needsUpdate=!0),Qi}var hh=class{constructor(t={}){let{canvas:e=wg(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:f=!1,outputBufferType:d=di}=t;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=n.getContextAttributes().alpha}else p=o;let v=d,g=new Set([Rc,Cc,Ec]),m=new Set([di,Fi,ao,cr,Sc,Ac]),_=new Uint32Array(4),b=new Int32Array(4),x={textures:[],min:[],max:[],resolution:[]},S=null,M=null,y=[],w=[],I=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=ji,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let C=this,L=!1,k=null,F=null,E=null,z=null;this._outputColorSpace=li;let X=0,V=0,rt=null,Y=-1,K=null,et=new Ce,ht=new Ce,at=null,Q=new Jt(0),gt=0,xt=e.width,dt=e.height,_t=1,Gt=null,jt=null,Ut=new Ce(0,0,xt,dt),ae=new Ce(0,0,xt,dt),le=!1,ie=new ar,xe=new nc,we=!1,tn=!1,ke=new Xt,An=new D,Se=new Ce,yn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},en=!1;function cn(){return rt===null?_t:1}let H=n;function Rt(P,W){return e.getContext(P,W)}let $t,oe,St,Ve,Vt,qt,U,T,$,ft,lt,vt,Mt,nt,st,mt,G,ot,it,At,yt,wt,Ht;try{let P={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",kt,!1),e.addEventListener("webglcontextrestored",te,!1),e.addEventListener("webglcontextcreationerror",Ct,!1),H===null){let W="webgl2";if(H=Rt(W,P),H===null)throw Rt(W)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Qt()}catch(P){throw e.removeEventListener("webglcontextlost",kt,!1),e.removeEventListener("webglcontextrestored",te,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),ee("WebGLRenderer: "+P.message),P}function Qt(){$t=new Hw(H),$t.init(),yt=new A1(H,$t),oe=new Nw(H,$t,t,yt),St=new w1(H,$t),oe.reversedDepthBuffer&&f&&St.buffers.depth.setReversed(!0),F=H.createFramebuffer(),E=H.createFramebuffer(),z=H.createFramebuffer(),Ve=new qw(H),Vt=new c1,qt=new S1(H,$t,St,Vt,oe,yt,Ve),U=new Gw(C),T=new Yv(H),wt=new Pw(H,T),$=new Ww(H,T,Ve,wt),ft=new Yw(H,$,T,wt,Ve),ot=new $w(H,oe,qt),st=new Lw(Vt),lt=new l1(C,U,$t,oe,wt,st),vt=new R1(C,Vt),Mt=new u1,nt=new x1($t),G=new Rw(C,U,St,ft,p,l),mt=new b1(C,ft,oe),Ht=new P1(H,Ve,oe,St),it=new Iw(H,$t,Ve),At=new Xw(H,$t,Ve),Ve.programs=lt.programs,C.capabilities=oe,C.extensions=$t,C.properties=Vt,C.renderLists=Mt,C.shadowMap=mt,C.state=St,C.info=Ve}v!==di&&(I=new Jw(v,e.width,e.height,a,s,r));let ut=new cd(C,H);this.xr=ut,this.getContext=function(){return H},this.getContextAttributes=function(){return H.getContextAttributes()},this.forceContextLoss=function(){let P=$t.get("WEBGL_lose_context");P&&P.loseContext()},this.forceContextRestore=function(){let P=$t.get("WEBGL_lose_context");P&&P.restoreContext()},this.getPixelRatio=function(){return _t},this.setPixelRatio=function(P){P!==void 0&&(_t=P,this.setSize(xt,dt,!1))},this.getSize=function(P){return P.set(xt,dt)},this.setSize=function(P,W,tt=!0){if(ut.isPresenting){Yt("WebGLRenderer: Can't change size while VR device is presenting.");return}xt=P,dt=W,e.width=Math.floor(P*_t),e.height=Math.floor(W*_t),tt===!0&&(e.style.width=P+"px",e.style.height=W+"px"),I!==null&&I.setSize(e.width,e.height),this.setViewport(0,0,P,W)},this.getDrawingBufferSize=function(P){return P.set(xt*_t,dt*_t).floor()},this.setDrawingBufferSize=function(P,W,tt){xt=P,dt=W,_t=tt,e.width=Math.floor(P*tt),e.height=Math.floor(W*tt),this.setViewport(0,0,P,W)},this.setEffects=function(P){if(v===di){ee("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(P){for(let W=0;W<P.length;W++)if(P[W].isOutputPass===!0){Yt("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}I.setEffects(P||[])},this.getCurrentViewport=function(P){return P.copy(et)},this.getViewport=function(P){return P.copy(Ut)},this.setViewport=function(P,W,tt,Z){P.isVector4?Ut.set(P.x,P.y,P.z,P.w):Ut.set(P,W,tt,Z),St.viewport(et.copy(Ut).multiplyScalar(cn()).round())},this.getScissor=function(P){return P.copy(ae)},this.setScissor=function(P,W,tt,Z){P.isVector4?ae.set(P.x,P.y,P.z,P.w):ae.set(P,W,tt,Z),St.scissor(ht.copy(ae).multiplyScalar(cn()).round())},this.getScissorTest=function(){return le},this.setScissorTest=function(P){St.setScissorTest(le=P)},this.setOpaqueSort=function(P){Gt=P},this.setTransparentSort=function(P){jt=P},this.getClearColor=function(P){return P.copy(G.getClearColor())},this.setClearColor=function(){G.setClearColor(...arguments)},this.getClearAlpha=function(){return G.getClearAlpha()},this.setClearAlpha=function(){G.setClearAlpha(...arguments)},this.clear=function(P=!0,W=!0,tt=!0){let Z=0;if(P){let J=!1;if(rt!==null){let Tt=rt.texture.format;J=g.has(Tt)}if(J){let Tt=rt.texture.type,Pt=m.has(Tt),Et=G.getClearColor(),It=G.getClearAlpha(),zt=Et.r,se=Et.g,pe=Et.b;Pt?(_[0]=zt,_[1]=se,_[2]=pe,_[3]=It,H.clearBufferuiv(H.COLOR,0,_)):(b[0]=zt,b[1]=se,b[2]=pe,b[3]=It,H.clearBufferiv(H.COLOR,0,b))}else Z|=H.COLOR_BUFFER_BIT}W&&(Z|=H.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),tt&&(Z|=H.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),Z!==0&&H.clear(Z)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(P){P.setRenderer(this),k=P},this.dispose=function(){e.removeEventListener("webglcontextlost",kt,!1),e.removeEventListener("webglcontextrestored",te,!1),e.removeEventListener("webglcontextcreationerror",Ct,!1),G.dispose(),Mt.dispose(),nt.dispose(),qt.dispose(),Vt.dispose(),U.dispose(),ft.dispose(),$.dispose(),wt.dispose(),Ht.dispose(),lt.dispose(),ut.dispose(),ut.removeEventListener("sessionstart",al),ut.removeEventListener("sessionend",zi),is.stop()};function kt(P){P.preventDefault(),Yf("WebGLRenderer: Context Lost."),L=!0}function te(){Yf("WebGLRenderer: Context Restored."),L=!1;let P=Ve.autoReset,W=mt.enabled,tt=mt.autoUpdate,Z=mt.needsUpdate,J=mt.type;Qt(),Ve.autoReset=P,mt.enabled=W,mt.autoUpdate=tt,mt.needsUpdate=Z,mt.type=J}function Ct(P){ee("WebGLRenderer: A WebGL context could not be created. Reason: ",P.statusMessage)}function he(P){let W=P.target;W.removeEventListener("dispose",he),We(W)}function We(P){zn(P),Vt.remove(P)}function zn(P){let W=Vt.get(P).programs;W!==void 0&&(W.forEach(function(tt){lt.releaseProgram(tt)}),P.isShaderMaterial&&lt.releaseShaderCache(P))}this.renderBufferDirect=function(P,W,tt,Z,J,Tt){W===null&&(W=yn);let Pt=J.isMesh&&J.matrixWorld.determinantAffine()<0,Et=Do(P,W,tt,Z,J);St.setMaterial(Z,Pt);let It=tt.index,zt=1;if(Z.wireframe===!0){if(It=$.getWireframeAttribute(tt),It===void 0)return;zt=2}let se=tt.drawRange,pe=tt.attributes.position,Bt=se.start*zt,me=(se.start+se.count)*zt;Tt!==null&&(Bt=Math.max(Bt,Tt.start*zt),me=Math.min(me,(Tt.start+Tt.count)*zt)),It!==null?(Bt=Math.max(Bt,0),me=Math.min(me,It.count)):pe!=null&&(Bt=Math.max(Bt,0),me=Math.min(me,pe.count));let je=me-Bt;if(je<0||je===1/0)return;wt.setup(J,Z,Et,tt,It);let Fe,Ue=it;if(It!==null&&(Fe=T.get(It),Ue=At,Ue.setIndex(Fe)),J.isMesh)Z.wireframe===!0?(St.setLineWidth(Z.wireframeLinewidth*cn()),Ue.setMode(H.LINES)):Ue.setMode(H.TRIANGLES);else if(J.isLine){let _n=Z.linewidth;_n===void 0&&(_n=1),St.setLineWidth(_n*cn()),J.isLineSegments?Ue.setMode(H.LINES):J.isLineLoop?Ue.setMode(H.LINE_LOOP):Ue.setMode(H.LINE_STRIP)}else J.isPoints?Ue.setMode(H.POINTS):J.isSprite&&Ue.setMode(H.TRIANGLES);if(J.isBatchedMesh)if($t.get("WEBGL_multi_draw"))Ue.renderMultiDraw(J._multiDrawStarts,J._multiDrawCounts,J._multiDrawCount);else{let _n=J._multiDrawStarts,Ft=J._multiDrawCounts,hn=J._multiDrawCount,_e=It?T.get(It).bytesPerElement:1,rs=Vt.get(Z).currentProgram.getUniforms();for(let un=0;un<hn;un++)rs.setValue(H,"_gl_DrawID",un),Ue.render(_n[un]/_e,Ft[un])}else if(J.isInstancedMesh)Ue.renderInstances(Bt,je,J.count);else if(tt.isInstancedBufferGeometry){let _n=tt._maxInstanceCount!==void 0?tt._maxInstanceCount:1/0,Ft=Math.min(tt.instanceCount,_n);Ue.renderInstances(Bt,je,Ft)}else Ue.render(Bt,je)};function Io(P,W,tt,Z){k!==null&&P.isNodeMaterial&&k.setObject(Z,P),we===!0&&st.setState(P,tt,!1),P.transparent===!0&&P.side===ti&&P.forceSinglePass===!1?(P.side=Dn,P.needsUpdate=!0,Vi(P,W,Z),P.side=Ki,P.needsUpdate=!0,Vi(P,W,Z),P.side=ti):Vi(P,W,Z)}this.compile=function(P,W,tt=null){tt===null&&(tt=P),k!==null&&k.renderStart(P,W,tt),M=nt.get(tt),M.init(W),w.push(M),tt.traverseVisible(function(J){J.isLight&&J.layers.test(W.layers)&&(M.pushLight(J),J.castShadow&&M.pushShadow(J))}),P!==tt&&P.traverseVisible(function(J){J.isLight&&J.layers.test(W.layers)&&(M.pushLight(J),J.castShadow&&M.pushShadow(J))}),M.setupLights(),k!==null&&k.updateLights(M.state.lightsArray),tn=this.localClippingEnabled,we=st.init(this.clippingPlanes,tn),we===!0&&st.setGlobalState(this.clippingPlanes,W),k!==null&&mt.render(M.state.shadowsArray,tt,W);let Z=new Set;return P.traverse(function(J){if(!(J.isMesh||J.isPoints||J.isLine||J.isSprite))return;let Tt=J.material;if(Tt)if(Array.isArray(Tt))for(let Pt=0;Pt<Tt.length;Pt++){let Et=Tt[Pt];Io(Et,tt,W,J),Z.add(Et)}else Io(Tt,tt,W,J),Z.add(Tt)}),M=w.pop(),k!==null&&k.renderEnd(),Z},this.compileAsync=function(P,W,tt=null){let Z=this.compile(P,W,tt);return new Promise(J=>{function Tt(){if(Z.forEach(function(Pt){let It=Vt.get(Pt).currentProgram;(It===void 0||It.isReady())&&Z.delete(Pt)}),Z.size===0){J(P);return}setTimeout(Tt,10)}$t.get("KHR_parallel_shader_compile")!==null?Tt():setTimeout(Tt,10)})};let br=null;function Iu(P){br&&br(P)}function al(){is.stop()}function zi(){is.start()}let is=new Qg;is.setAnimationLoop(Iu),typeof self<"u"&&is.setContext(self),this.setAnimationLoop=function(P){br=P,ut.setAnimationLoop(P),P===null?is.stop():is.start()},ut.addEventListener("sessionstart",al),ut.addEventListener("sessionend",zi),this.render=function(P,W){if(W!==void 0&&W.isCamera!==!0){ee("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;k!==null&&k.renderStart(P,W);let tt=ut.enabled===!0&&ut.isPresenting===!0,Z=I!==null&&(rt===null||tt)&&I.begin(C,rt);if(P.matrixWorldAutoUpdate===!0&&P.updateMatrixWorld(),W.parent===null&&W.matrixWorldAutoUpdate===!0&&W.updateMatrixWorld(),ut.enabled===!0&&ut.isPresenting===!0&&(I===null||I.isCompositing()===!1)&&(ut.cameraAutoUpdate===!0&&ut.updateCamera(W),W=ut.getCamera()),P.isScene===!0&&P.onBeforeRender(C,P,W,rt),M=nt.get(P,w.length),M.init(W),M.state.textureUnits=qt.getTextureUnits(),w.push(M),ke.multiplyMatrices(W.projectionMatrix,W.matrixWorldInverse),W.isArrayCamera?xe.setFromArrayCamera(W):ie.setFromProjectionMatrix(ke,bi,W.reversedDepth),tn=this.localClippingEnabled,we=st.init(this.clippingPlanes,tn),S=Mt.get(P,y.length),S.init(),y.push(S),this.info.render.frame++,ut.enabled===!0&&ut.isPresenting===!0){let Pt=C.xr.getDepthSensingMesh();Pt!==null&&ss(Pt,W,-1/0,C.sortObjects)}ss(P,W,0,C.sortObjects),S.finish(),k!==null&&k.updateLights(M.state.lightsArray),C.sortObjects===!0&&S.sort(Gt,jt),en=ut.enabled===!1||ut.isPresenting===!1||ut.hasDepthSensing()===!1,en&&G.addToRenderList(S,P),this.info.autoReset===!0&&this.info.reset(),we===!0&&st.beginShadows();let J=M.state.shadowsArray;if(mt.render(J,P,W),we===!0&&st.endShadows(),(Z&&I.hasRenderPass())===!1){let Pt=S.opaque,Et=S.transmissive;if(M.setupLights(),W.isArrayCamera){let It=W.cameras;if(Et.length>0)for(let zt=0,se=It.length;zt<se;zt++){let pe=It[zt];Ei(Pt,Et,P,pe)}en&&G.render(P);for(let zt=0,se=It.length;zt<se;zt++){let pe=It[zt];No(S,P,pe,pe.viewport)}}else Et.length>0&&Ei(Pt,Et,P,W),en&&G.render(P),No(S,P,W)}rt!==null&&V===0&&(qt.updateMultisampleRenderTarget(rt),qt.updateRenderTargetMipmap(rt)),Z&&I.end(C),P.isScene===!0&&P.onAfterRender(C,P,W),wt.resetDefaultState(),Y=-1,K=null,w.pop(),w.length>0?(M=w[w.length-1],qt.setTextureUnits(M.state.textureUnits),we===!0&&st.setGlobalState(C.clippingPlanes,M.state.camera)):M=null,y.pop(),y.length>0?S=y[y.length-1]:S=null,k!==null&&k.renderEnd()};function ss(P,W,tt,Z){if(P.visible===!1)return;if(P.layers.test(W.layers)){if(P.isGroup)tt=P.renderOrder;else if(P.isLOD)P.autoUpdate===!0&&P.update(W);else if(P.isLight)M.pushLight(P),P.castShadow&&M.pushShadow(P);else if(P.isSprite){let Pt=W.isArrayCamera?xe:ie;if(!P.frustumCulled||P.intersectsFrustum(Pt)){Z&&Se.setFromMatrixPosition(P.matrixWorld).applyMatrix4(ke);let Et=ft.update(P),It=P.material;It.visible&&S.push(P,Et,It,tt,Se.z,null,W)}}else if(P.isMesh||P.isLine||P.isPoints){let Pt=W.isArrayCamera?xe:ie;if(!P.frustumCulled||P.intersectsFrustum(Pt)){let Et=ft.update(P),It=P.material;if(Z&&(P.boundingSphere!==void 0?(P.boundingSphere===null&&P.computeBoundingSphere(),Se.copy(P.boundingSphere.center)):(Et.boundingSphere===null&&Et.computeBoundingSphere(),Se.copy(Et.boundingSphere.center)),Se.applyMatrix4(P.matrixWorld).applyMatrix4(ke)),Array.isArray(It)){let zt=Et.groups;for(let se=0,pe=zt.length;se<pe;se++){let Bt=zt[se],me=It[Bt.materialIndex];me&&me.visible&&S.push(P,Et,me,tt,Se.z,Bt,W)}}else It.visible&&S.push(P,Et,It,tt,Se.z,null,W)}}}let Tt=P.children;for(let Pt=0,Et=Tt.length;Pt<Et;Pt++)ss(Tt[Pt],W,tt,Z)}function No(P,W,tt,Z){let{opaque:J,transmissive:Tt,transparent:Pt}=P;M.setupLightsView(tt),we===!0&&st.setGlobalState(C.clippingPlanes,tt),Z&&St.viewport(et.copy(Z)),J.length>0&&nn(J,W,tt),Tt.length>0&&nn(Tt,W,tt),Pt.length>0&&nn(Pt,W,tt),St.buffers.depth.setTest(!0),St.buffers.depth.setMask(!0),St.buffers.color.setMask(!0),St.setPolygonOffset(!1)}function Ei(P,W,tt,Z){if((tt.isScene===!0?tt.overrideMaterial:null)!==null)return;if(M.state.transmissionRenderTarget[Z.id]===void 0){let Bt=$t.has("EXT_color_buffer_half_float")||$t.has("EXT_color_buffer_float");M.state.transmissionRenderTarget[Z.id]=new Zn(1,1,{generateMipmaps:!0,type:Bt?pi:di,minFilter:Ms,samples:Math.max(4,oe.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:ve.workingColorSpace})}let Tt=M.state.transmissionRenderTarget[Z.id],Pt=Z.viewport||et;Tt.setSize(Pt.z*C.transmissionResolutionScale,Pt.w*C.transmissionResolutionScale);let Et=C.getRenderTarget(),It=C.getActiveCubeFace(),zt=C.getActiveMipmapLevel();C.setRenderTarget(Tt),C.getClearColor(Q),gt=C.getClearAlpha(),gt<1&&C.setClearColor(16777215,.5),C.clear(),en&&G.render(tt);let se=C.toneMapping;C.toneMapping=ji;let pe=Z.viewport;if(Z.viewport!==void 0&&(Z.viewport=void 0),M.setupLightsView(Z),we===!0&&st.setGlobalState(C.clippingPlanes,Z),nn(P,tt,Z),qt.updateMultisampleRenderTarget(Tt),qt.updateRenderTargetMipmap(Tt),$t.has("WEBGL_multisampled_render_to_texture")===!1){let Bt=!1;for(let me=0,je=W.length;me<je;me++){let Fe=W[me],{object:Ue,geometry:_n,material:Ft,group:hn}=Fe;if(Ft.side===ti&&Ue.layers.test(Z.layers)){let _e=Ft.side;Ft.side=Dn,Ft.needsUpdate=!0,an(Ue,tt,Z,_n,Ft,hn),Ft.side=_e,Ft.needsUpdate=!0,Bt=!0}}Bt===!0&&(qt.updateMultisampleRenderTarget(Tt),qt.updateRenderTargetMipmap(Tt))}C.setRenderTarget(Et,It,zt),C.setClearColor(Q,gt),pe!==void 0&&(Z.viewport=pe),C.toneMapping=se}function nn(P,W,tt){let Z=W.isScene===!0?W.overrideMaterial:null;for(let J=0,Tt=P.length;J<Tt;J++){let Pt=P[J],{object:Et,geometry:It,group:zt}=Pt,se=Pt.material;se.allowOverride===!0&&Z!==null&&(se=Z),Et.layers.test(tt.layers)&&an(Et,W,tt,It,se,zt)}}function an(P,W,tt,Z,J,Tt){k!==null&&J.isNodeMaterial&&k.setObject(P,J),P.onBeforeRender(C,W,tt,Z,J,Tt),P.modelViewMatrix.multiplyMatrices(tt.matrixWorldInverse,P.matrixWorld),P.normalMatrix.getNormalMatrix(P.modelViewMatrix),J.onBeforeRender(C,W,tt,Z,P,Tt),J.transparent===!0&&J.side===ti&&J.forceSinglePass===!1?(J.side=Dn,J.needsUpdate=!0,C.renderBufferDirect(tt,W,Z,J,P,Tt),J.side=Ki,J.needsUpdate=!0,C.renderBufferDirect(tt,W,Z,J,P,Tt),J.side=ti):C.renderBufferDirect(tt,W,Z,J,P,Tt),P.onAfterRender(C,W,tt,Z,J,Tt)}function ln(P){let W=0;for(let tt of P)tt.texture!==null&&W++;return W}function Vi(P,W,tt){W.isScene!==!0&&(W=yn);let Z=Vt.get(P),J=M.state.lights,Tt=M.state.shadowsArray,Pt=J.state.version,Et=lt.getParameters(P,J.state,Tt,W,tt,M.state.lightProbeGridArray),It=lt.getProgramCacheKey(Et),zt=Z.programs;Z.environment=P.isMeshStandardMaterial||P.isMeshLambertMaterial||P.isMeshPhongMaterial?W.environment:null,Z.fog=W.fog;let se=P.isMeshStandardMaterial||P.isMeshLambertMaterial&&!P.envMap||P.isMeshPhongMaterial&&!P.envMap;Z.envMap=U.get(P.envMap||Z.environment,se),Z.envMapRotation=Z.environment!==null&&P.envMap===null?W.environmentRotation:P.envMapRotation,zt===void 0&&(P.addEventListener("dispose",he),zt=new Map,Z.programs=zt,Z.programVariants=new Map);let pe=zt.get(It);if(pe!==void 0){if(Z.currentProgram===pe&&Z.lightsStateVersion===Pt)return Lo(P,Et),pe}else Et.uniforms=lt.getUniforms(P),k!==null&&P.isNodeMaterial&&k.build(P,tt,Et),P.onBeforeCompile(Et,C),pe=lt.acquireProgram(Et,It),zt.set(It,pe),Z.uniforms=Et.uniforms;let Bt=Z.uniforms;return(!P.isShaderMaterial&&!P.isRawShaderMaterial||P.clipping===!0)&&(Bt.clippingPlanes=st.uniform),Lo(P,Et),Z.needsLights=Cs(P),Z.lightsStateVersion=Pt,Z.needsLights&&(Bt.ambientLightColor.value=J.state.ambient,Bt.lightProbe.value=J.state.probe,Bt.sunLights.value=J.state.sun,Bt.sunLightShadows.value=J.state.sunShadow,Bt.directionalLights.value=J.state.directional,Bt.directionalLightShadows.value=J.state.directionalShadow,Bt.spotLights.value=J.state.spot,Bt.spotLightShadows.value=J.state.spotShadow,Bt.rectAreaLights.value=J.state.rectArea,Bt.ltc_1.value=J.state.rectAreaLTC1,Bt.ltc_2.value=J.state.rectAreaLTC2,Bt.pointLights.value=J.state.point,Bt.pointLightShadows.value=J.state.pointShadow,Bt.hemisphereLights.value=J.state.hemi,Bt.sunShadowMatrix.value=J.state.sunShadowMatrix,Bt.sunShadowCascade.value=J.state.sunShadowCascade,Bt.directionalShadowMatrix.value=J.state.directionalShadowMatrix,Bt.spotLightMatrix.value=J.state.spotLightMatrix,Bt.spotLightMap.value=J.state.spotLightMap,Bt.pointShadowMatrix.value=J.state.pointShadowMatrix),Z.numLightProbeGrids=ln(M.state.lightProbeGridArray),Z.currentProgram=pe,Z.uniformsList=null,pe}function ni(P,W,tt,Z,J){let Tt=Vt.get(P),Pt=Tt.currentProgram.id+","+Z+","+J,Et=Tt.programVariants.get(Pt);return Et===void 0?(Et=Vi(P,W,tt),Tt.programVariants.set(Pt,Et)):(Tt.currentProgram=Et,Tt.uniformsList=null,Tt.outputColorSpace=Z,Tt.toneMapping=J),Et}function Es(P){if(P.uniformsList===null){let W=P.currentProgram.getUniforms();P.uniformsList=lo.seqWithValue(W.seq,P.uniforms)}return P.uniformsList}function Lo(P,W){let tt=Vt.get(P);tt.outputColorSpace=W.outputColorSpace,tt.batching=W.batching,tt.batchingColor=W.batchingColor,tt.instancing=W.instancing,tt.instancingColor=W.instancingColor,tt.instancingMorph=W.instancingMorph,tt.skinning=W.skinning,tt.morphTargets=W.morphTargets,tt.morphNormals=W.morphNormals,tt.morphColors=W.morphColors,tt.morphTargetsCount=W.morphTargetsCount,tt.numClippingPlanes=W.numClippingPlanes,tt.numIntersection=W.numClipIntersection,tt.vertexAlphas=W.vertexAlphas,tt.vertexTangents=W.vertexTangents,tt.toneMapping=W.toneMapping}function Do(P,W,tt,Z,J){W.isScene!==!0&&(W=yn),qt.resetTextureUnits();let Tt=W.fog,Pt=Z.isMeshStandardMaterial||Z.isMeshLambertMaterial||Z.isMeshPhongMaterial?W.environment:null,Et=rt===null?C.outputColorSpace:rt.isXRRenderTarget===!0?rt.texture.colorSpace:ve.workingColorSpace,It=Z.isMeshStandardMaterial||Z.isMeshLambertMaterial&&!Z.envMap||Z.isMeshPhongMaterial&&!Z.envMap,zt=U.get(Z.envMap||Pt,It),se=Z.vertexColors===!0&&!!tt.attributes.color&&tt.attributes.color.itemSize===4,pe=!!tt.attributes.tangent&&(!!Z.normalMap||Z.anisotropy>0),Bt=!!tt.morphAttributes.position,me=!!tt.morphAttributes.normal,je=!!tt.morphAttributes.color,Fe=ji;Z.toneMapped&&(rt===null||rt.isXRRenderTarget===!0)&&(Fe=C.toneMapping);let Ue=tt.morphAttributes.position||tt.morphAttributes.normal||tt.morphAttributes.color,_n=Ue!==void 0?Ue.length:0,Ft=Vt.get(Z),hn=M.state.lights;if(we===!0&&(tn===!0||P!==K)){let Oe=P===K&&Z.id===Y;st.setState(Z,P,Oe)}let _e=!1,rs=!1;Z.version===Ft.__version?Ft.needsLights&&Ft.lightsStateVersion!==hn.state.version||J.isBatchedMesh&&Ft.batching===!1||!J.isBatchedMesh&&Ft.batching===!0||J.isBatchedMesh&&Ft.batchingColor===!0&&J._colorsTexture===null||J.isBatchedMesh&&Ft.batchingColor===!1&&J._colorsTexture!==null||J.isInstancedMesh&&Ft.instancing===!1||!J.isInstancedMesh&&Ft.instancing===!0||J.isSkinnedMesh&&Ft.skinning===!1||!J.isSkinnedMesh&&Ft.skinning===!0||J.isInstancedMesh&&Ft.instancingColor===!0&&J.instanceColor===null||J.isInstancedMesh&&Ft.instancingColor===!1&&J.instanceColor!==null||J.isInstancedMesh&&Ft.instancingMorph===!0&&J.morphTexture===null||J.isInstancedMesh&&Ft.instancingMorph===!1&&J.morphTexture!==null||Ft.envMap!==zt||Z.fog===!0&&Ft.fog!==Tt||Ft.numClippingPlanes!==void 0&&(Ft.numClippingPlanes!==st.numPlanes||Ft.numIntersection!==st.numIntersection)||Ft.vertexAlphas!==se||Ft.vertexTangents!==pe||Ft.morphTargets!==Bt||Ft.morphNormals!==me||Ft.morphColors!==je||Ft.morphTargetsCount!==_n||Ft.numLightProbeGrids!==ln(M.state.lightProbeGridArray)?_e=!0:(Ft.outputColorSpace!==Et||Ft.toneMapping!==Fe)&&(rs=!0):(_e=!0,Ft.__version=Z.version);let un=Ft.currentProgram;(_e===!0||rs===!0)&&(un=rs===!0?ni(Z,W,J,Et,Fe):Vi(Z,W,J),k&&Z.isNodeMaterial&&k.onUpdateProgram(Z,un,Ft));let Ar=!1,Gi=!1,os=!1,ue=un.getUniforms(),sn=Ft.uniforms;if(St.useProgram(un.program)&&(Ar=!0,Gi=!0,os=!0),Z.id!==Y&&(Y=Z.id,Gi=!0),Ar||K!==P){St.buffers.depth.getReversed()&&P.reversedDepth!==!0&&(P._reversedDepth=!0,P.updateProjectionMatrix()),ue.setValue(H,"projectionMatrix",P.projectionMatrix),ue.setValue(H,"viewMatrix",P.matrixWorldInverse);let fn=ue.map.cameraPosition;fn!==void 0&&fn.setValue(H,An.setFromMatrixPosition(P.matrixWorld)),oe.logarithmicDepthBuffer&&ue.setValue(H,"logDepthBufFC",2/(Math.log(P.far+1)/Math.LN2)),(Z.isMeshPhongMaterial||Z.isMeshToonMaterial||Z.isMeshLambertMaterial||Z.isMeshBasicMaterial||Z.isMeshStandardMaterial||Z.isShaderMaterial)&&ue.setValue(H,"isOrthographic",P.isOrthographicCamera===!0),K!==P&&(K=P,Gi=!0,os=!0)}if(Ft.needsLights&&(hn.state.sunShadowMap.length>0&&ue.setValue(H,"sunShadowMap",hn.state.sunShadowMap,qt),hn.state.directionalShadowMap.length>0&&ue.setValue(H,"directionalShadowMap",hn.state.directionalShadowMap,qt),hn.state.spotShadowMap.length>0&&ue.setValue(H,"spotShadowMap",hn.state.spotShadowMap,qt),hn.state.pointShadowMap.length>0&&ue.setValue(H,"pointShadowMap",hn.state.pointShadowMap,qt)),J.isSkinnedMesh){ue.setOptional(H,J,"bindMatrix"),ue.setOptional(H,J,"bindMatrixInverse");let Oe=J.skeleton;Oe&&(Oe.boneTexture===null&&Oe.computeBoneTexture(),ue.setValue(H,"boneTexture",Oe.boneTexture,qt))}J.isBatchedMesh&&(ue.setOptional(H,J,"batchingTexture"),ue.setValue(H,"batchingTexture",J._matricesTexture,qt),ue.setOptional(H,J,"batchingIdTexture"),ue.setValue(H,"batchingIdTexture",J._indirectTexture,qt),ue.setOptional(H,J,"batchingColorTexture"),J._colorsTexture!==null&&ue.setValue(H,"batchingColorTexture",J._colorsTexture,qt));let Vn=tt.morphAttributes;if((Vn.position!==void 0||Vn.normal!==void 0||Vn.color!==void 0)&&ot.update(J,tt,un),(Gi||Ft.receiveShadow!==J.receiveShadow)&&(Ft.receiveShadow=J.receiveShadow,ue.setValue(H,"receiveShadow",J.receiveShadow)),(Z.isMeshStandardMaterial||Z.isMeshLambertMaterial||Z.isMeshPhongMaterial)&&Z.envMap===null&&W.environment!==null&&(sn.envMapIntensity.value=W.environmentIntensity),sn.dfgLUT!==void 0&&(sn.dfgLUT.value=N1()),Gi){if(ue.setValue(H,"toneMappingExposure",C.toneMappingExposure),Ft.needsLights&&wr(sn,os),Tt&&Z.fog===!0&&vt.refreshFogUniforms(sn,Tt),vt.refreshMaterialUniforms(sn,Z,_t,dt,M.state.transmissionRenderTarget[P.id]),Ft.needsLights&&Ft.numLightProbeGrids>0){let Oe=x,fn=0;for(let Un of M.state.lightProbeGridArray)Un.texture!==null&&(Oe.textures[fn]=Un.texture,Oe.min[fn]=Un.boundingBox.min,Oe.max[fn]=Un.boundingBox.max,Oe.resolution[fn]=Un.resolution,fn++);for(let Un in Oe)Oe[Un].length=fn;sn.probesSH.value=Oe.textures,sn.probesMin.value=Oe.min,sn.probesMax.value=Oe.max,sn.probesResolution.value=Oe.resolution}lo.upload(H,Es(Ft),sn,qt)}if(Z.isShaderMaterial&&Z.uniformsNeedUpdate===!0&&(lo.upload(H,Es(Ft),sn,qt),Z.uniformsNeedUpdate=!1),Z.isSpriteMaterial&&ue.setValue(H,"center",J.center),ue.setValue(H,"modelViewMatrix",J.modelViewMatrix),ue.setValue(H,"normalMatrix",J.normalMatrix),ue.setValue(H,"modelMatrix",J.matrixWorld),Z.uniformsGroups!==void 0){let Oe=Z.uniformsGroups;for(let fn=0,Un=Oe.length;fn<Un;fn++){let ll=Oe[fn];Ht.update(ll,un),Ht.bind(ll,un)}}return un}function wr(P,W){P.ambientLightColor.needsUpdate=W,P.lightProbe.needsUpdate=W,P.sunLights.needsUpdate=W,P.sunLightShadows.needsUpdate=W,P.directionalLights.needsUpdate=W,P.directionalLightShadows.needsUpdate=W,P.pointLights.needsUpdate=W,P.pointLightShadows.needsUpdate=W,P.spotLights.needsUpdate=W,P.spotLightShadows.needsUpdate=W,P.rectAreaLights.needsUpdate=W,P.hemisphereLights.needsUpdate=W}function Cs(P){return P.isMeshLambertMaterial||P.isMeshToonMaterial||P.isMeshPhongMaterial||P.isMeshStandardMaterial||P.isShadowMaterial||P.isShaderMaterial&&P.lights===!0}this.getActiveCubeFace=function(){return X},this.getActiveMipmapLevel=function(){return V},this.getRenderTarget=function(){return rt},this.setRenderTargetTextures=function(P,W,tt){let Z=Vt.get(P);Z.__autoAllocateDepthBuffer=P.resolveDepthBuffer===!1,Z.__autoAllocateDepthBuffer===!1&&(Z.__useRenderToTexture=!1),Vt.get(P.texture).__webglTexture=W,Vt.get(P.depthTexture).__webglTexture=Z.__autoAllocateDepthBuffer?void 0:tt,Z.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(P,W){let tt=Vt.get(P);tt.__webglFramebuffer=W,tt.__useDefaultFramebuffer=W===void 0},this.setRenderTarget=function(P,W=0,tt=0){rt=P,X=W,V=tt;let Z=null,J=!1,Tt=!1;if(P){let Et=Vt.get(P);if(Et.__useDefaultFramebuffer!==void 0){St.bindFramebuffer(H.FRAMEBUFFER,Et.__webglFramebuffer),et.copy(P.viewport),ht.copy(P.scissor),at=P.scissorTest,St.viewport(et),St.scissor(ht),St.setScissorTest(at),Y=-1;return}else if(Et.__webglFramebuffer===void 0)qt.setupRenderTarget(P);else if(Et.__hasExternalTextures)qt.rebindTextures(P,Vt.get(P.texture).__webglTexture,Vt.get(P.depthTexture).__webglTexture);else if(P.depthBuffer){let se=P.depthTexture;if(Et.__boundDepthTexture!==se){if(se!==null&&Vt.has(se)&&(P.width!==se.image.width||P.height!==se.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");qt.setupDepthRenderbuffer(P)}}let It=P.texture;(It.isData3DTexture||It.isDataArrayTexture||It.isCompressedArrayTexture)&&(Tt=!0);let zt=Vt.get(P).__webglFramebuffer;P.isWebGLCubeRenderTarget?(Array.isArray(zt[W])?Z=zt[W][tt]:Z=zt[W],J=!0):P.samples>0&&qt.useMultisampledRTT(P)===!1?Z=Vt.get(P).__webglMultisampledFramebuffer:Array.isArray(zt)?Z=zt[tt]:Z=zt,et.copy(P.viewport),ht.copy(P.scissor),at=P.scissorTest}else et.copy(Ut).multiplyScalar(_t).floor(),ht.copy(ae).multiplyScalar(_t).floor(),at=le;if(tt!==0&&(Z=F),St.bindFramebuffer(H.FRAMEBUFFER,Z)&&St.drawBuffers(P,Z),St.viewport(et),St.scissor(ht),St.setScissorTest(at),J){let Et=Vt.get(P.texture);H.framebufferTexture2D(H.FRAMEBUFFER,H.COLOR_ATTACHMENT0,H.TEXTURE_CUBE_MAP_POSITIVE_X+W,Et.__webglTexture,tt)}else if(Tt){let Et=W;for(let It=0;It<P.textures.length;It++){let zt=Vt.get(P.textures[It]);H.framebufferTextureLayer(H.FRAMEBUFFER,H.COLOR_ATTACHMENT0+It,zt.__webglTexture,tt,Et)}}else if(P!==null&&tt!==0){let Et=Vt.get(P.texture);H.framebufferTexture2D(H.FRAMEBUFFER,H.COLOR_ATTACHMENT0,H.TEXTURE_2D,Et.__webglTexture,tt)}Y=-1};function Sr(P){let W=Vt.get(P);return(W.__readFormat!==P.format||W.__readType!==P.type)&&(W.__readFormat=P.format,W.__readType=P.type,W.__formatReadable=oe.textureFormatReadable(P.format),W.__typeReadable=oe.textureTypeReadable(P.type)),W}this.readRenderTargetPixels=function(P,W,tt,Z,J,Tt,Pt,Et=0){if(!(P&&P.isWebGLRenderTarget)){ee("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let It=Vt.get(P).__webglFramebuffer;if(P.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It){St.bindFramebuffer(H.FRAMEBUFFER,It);try{let zt=P.textures[Et],se=zt.format,pe=zt.type;P.textures.length>1&&H.readBuffer(H.COLOR_ATTACHMENT0+Et);let Bt=Sr(zt);if(Bt.__formatReadable===!1){ee("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Bt.__typeReadable===!1){ee("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}W>=0&&W<=P.width-Z&&tt>=0&&tt<=P.height-J&&H.readPixels(W,tt,Z,J,yt.convert(se),yt.convert(pe),Tt)}finally{let zt=rt!==null?Vt.get(rt).__webglFramebuffer:null;St.bindFramebuffer(H.FRAMEBUFFER,zt)}}},this.readRenderTargetPixelsAsync=async function(P,W,tt,Z,J,Tt,Pt,Et=0){if(!(P&&P.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let It=Vt.get(P).__webglFramebuffer;if(P.isWebGLCubeRenderTarget&&Pt!==void 0&&(It=It[Pt],Array.isArray(It)&&(It=It[0])),It)if(W>=0&&W<=P.width-Z&&tt>=0&&tt<=P.height-J){St.bindFramebuffer(H.FRAMEBUFFER,It);let zt=P.textures[Et],se=zt.format,pe=zt.type;P.textures.length>1&&H.readBuffer(H.COLOR_ATTACHMENT0+Et);let Bt=Sr(zt);if(Bt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Bt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let me=H.createBuffer();H.bindBuffer(H.PIXEL_PACK_BUFFER,me),H.bufferData(H.PIXEL_PACK_BUFFER,Tt.byteLength,H.STREAM_READ),H.readPixels(W,tt,Z,J,yt.convert(se),yt.convert(pe),0),H.bindBuffer(H.PIXEL_PACK_BUFFER,null);let je=rt!==null?Vt.get(rt).__webglFramebuffer:null;St.bindFramebuffer(H.FRAMEBUFFER,je);let Fe=H.fenceSync(H.SYNC_GPU_COMMANDS_COMPLETE,0);return H.flush(),await Ag(H,Fe,4),H.bindBuffer(H.PIXEL_PACK_BUFFER,me),H.getBufferSubData(H.PIXEL_PACK_BUFFER,0,Tt),H.bindBuffer(H.PIXEL_PACK_BUFFER,null),H.deleteBuffer(me),H.deleteSync(Fe),Tt}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(P,W=null,tt=0){let Z=Math.pow(2,-tt),J=Math.floor(P.image.width*Z),Tt=Math.floor(P.image.height*Z),Pt=W!==null?W.x:0,Et=W!==null?W.y:0;qt.setTexture2D(P,0),H.copyTexSubImage2D(H.TEXTURE_2D,tt,0,0,Pt,Et,J,Tt),St.unbindTexture()},this.copyTextureToTexture=function(P,W,tt=null,Z=null,J=0,Tt=0){let Pt,Et,It,zt,se,pe,Bt,me,je,Fe=P.isCompressedTexture?P.mipmaps[Tt]:P.image;if(tt!==null)Pt=tt.max.x-tt.min.x,Et=tt.max.y-tt.min.y,It=tt.isBox3?tt.max.z-tt.min.z:1,zt=tt.min.x,se=tt.min.y,pe=tt.isBox3?tt.min.z:0;else{let ue=Math.pow(2,-J);Pt=Math.floor(Fe.width*ue),Et=Math.floor(Fe.height*ue),P.isDataArrayTexture?It=Fe.depth:P.isData3DTexture?It=Math.floor(Fe.depth*ue):It=1,zt=0,se=0,pe=0}Z!==null?(Bt=Z.x,me=Z.y,je=Z.z):(Bt=0,me=0,je=0);let Ue=yt.convert(W.format),_n=yt.convert(W.type),Ft;W.isData3DTexture?(qt.setTexture3D(W,0),Ft=H.TEXTURE_3D):W.isDataArrayTexture||W.isCompressedArrayTexture?(qt.setTexture2DArray(W,0),Ft=H.TEXTURE_2D_ARRAY):(qt.setTexture2D(W,0),Ft=H.TEXTURE_2D),St.activeTexture(H.TEXTURE0),St.pixelStorei(H.UNPACK_FLIP_Y_WEBGL,W.flipY),St.pixelStorei(H.UNPACK_PREMULTIPLY_ALPHA_WEBGL,W.premultiplyAlpha),St.pixelStorei(H.UNPACK_ALIGNMENT,W.unpackAlignment);let hn=St.getParameter(H.UNPACK_ROW_LENGTH),_e=St.getParameter(H.UNPACK_IMAGE_HEIGHT),rs=St.getParameter(H.UNPACK_SKIP_PIXELS),un=St.getParameter(H.UNPACK_SKIP_ROWS),Ar=St.getParameter(H.UNPACK_SKIP_IMAGES);St.pixelStorei(H.UNPACK_ROW_LENGTH,Fe.width),St.pixelStorei(H.UNPACK_IMAGE_HEIGHT,Fe.height),St.pixelStorei(H.UNPACK_SKIP_PIXELS,zt),St.pixelStorei(H.UNPACK_SKIP_ROWS,se),St.pixelStorei(H.UNPACK_SKIP_IMAGES,pe);let Gi=P.isDataArrayTexture||P.isData3DTexture,os=W.isDataArrayTexture||W.isData3DTexture;if(P.isDepthTexture){let ue=Vt.get(P),sn=Vt.get(W),Vn=Vt.get(ue.__renderTarget),Oe=Vt.get(sn.__renderTarget);St.bindFramebuffer(H.READ_FRAMEBUFFER,Vn.__webglFramebuffer),St.bindFramebuffer(H.DRAW_FRAMEBUFFER,Oe.__webglFramebuffer);for(let fn=0;fn<It;fn++)Gi&&(H.framebufferTextureLayer(H.READ_FRAMEBUFFER,H.COLOR_ATTACHMENT0,Vt.get(P).__webglTexture,J,pe+fn),H.framebufferTextureLayer(H.DRAW_FRAMEBUFFER,H.COLOR_ATTACHMENT0,Vt.get(W).__webglTexture,Tt,je+fn)),H.blitFramebuffer(zt,se,zt+Pt,se+Et,Bt,me,Bt+Pt,me+Et,H.DEPTH_BUFFER_BIT,H.NEAREST);St.bindFramebuffer(H.READ_FRAMEBUFFER,null),St.bindFramebuffer(H.DRAW_FRAMEBUFFER,null)}else if(J!==0||P.isRenderTargetTexture||Vt.has(P)){let ue=Vt.get(P),sn=Vt.get(W);St.bindFramebuffer(H.READ_FRAMEBUFFER,E),St.bindFramebuffer(H.DRAW_FRAMEBUFFER,z);for(let Vn=0;Vn<It;Vn++)Gi?H.framebufferTextureLayer(H.READ_FRAMEBUFFER,H.COLOR_ATTACHMENT0,ue.__webglTexture,J,pe+Vn):H.framebufferTexture2D(H.READ_FRAMEBUFFER,H.COLOR_ATTACHMENT0,H.TEXTURE_2D,ue.__webglTexture,J),os?H.framebufferTextureLayer(H.DRAW_FRAMEBUFFER,H.COLOR_ATTACHMENT0,sn.__webglTexture,Tt,je+Vn):H.framebufferTexture2D(H.DRAW_FRAMEBUFFER,H.COLOR_ATTACHMENT0,H.TEXTURE_2D,sn.__webglTexture,Tt),J!==0?H.blitFramebuffer(zt,se,zt+Pt,se+Et,Bt,me,Bt+Pt,me+Et,H.COLOR_BUFFER_BIT,H.NEAREST):os?H.copyTexSubImage3D(Ft,Tt,Bt,me,je+Vn,zt,se,Pt,Et):H.copyTexSubImage2D(Ft,Tt,Bt,me,zt,se,Pt,Et);St.bindFramebuffer(H.READ_FRAMEBUFFER,null),St.bindFramebuffer(H.DRAW_FRAMEBUFFER,null)}else os?P.isDataTexture||P.isData3DTexture?H.texSubImage3D(Ft,Tt,Bt,me,je,Pt,Et,It,Ue,_n,Fe.data):W.isCompressedArrayTexture?H.compressedTexSubImage3D(Ft,Tt,Bt,me,je,Pt,Et,It,Ue,Fe.data):H.texSubImage3D(Ft,Tt,Bt,me,je,Pt,Et,It,Ue,_n,Fe):P.isDataTexture?H.texSubImage2D(H.TEXTURE_2D,Tt,Bt,me,Pt,Et,Ue,_n,Fe.data):P.isCompressedTexture?H.compressedTexSubImage2D(H.TEXTURE_2D,Tt,Bt,me,Fe.width,Fe.height,Ue,Fe.data):H.texSubImage2D(H.TEXTURE_2D,Tt,Bt,me,Pt,Et,Ue,_n,Fe);St.pixelStorei(H.UNPACK_ROW_LENGTH,hn),St.pixelStorei(H.UNPACK_IMAGE_HEIGHT,_e),St.pixelStorei(H.UNPACK_SKIP_PIXELS,rs),St.pixelStorei(H.UNPACK_SKIP_ROWS,un),St.pixelStorei(H.UNPACK_SKIP_IMAGES,Ar),Tt===0&&W.generateMipmaps===!0&&W.mipmapsAutoUpdate===!0&&H.generateMipmap(Ft),St.unbindTexture()},this.initRenderTarget=function(P){Vt.get(P).__webglFramebuffer===void 0&&qt.setupRenderTarget(P)},this.initTexture=function(P){P.isCubeTexture?qt.setTextureCube(P,0):P.isData3DTexture?qt.setTexture3D(P,0):P.isDataArrayTexture||P.isCompressedArrayTexture?qt.setTexture2DArray(P,0):qt.setTexture2D(P,0),St.unbindTexture()},this.resetState=function(){X=0,V=0,rt=null,St.reset(),wt.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return bi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=ve._getDrawingBufferColorSpace(t),e.unpackColorSpace=ve._getUnpackColorSpace()}};var ph={mesh:{label:"Teeth and cams",colour:"#d1470b"},bearing:{label:"Bearings, bushings, couplings",colour:"#0072b2"},load:{label:"Loads and drives",colour:"#008a63"},spring:{label:"Springs",colour:"#a3498b"},joint:{label:"Joint reactions",colour:"#6b7280"}},d0=40,fd=120,L1=3,D1=2,h0=17,F1=6,U1=new D(0,0,1),ud=class{constructor(t,e){if(this.said=e,this.samples=t.time.length,this.values=t.columns(e.vector??e.value),this.points=e.point?t.columns(e.point):null,this.size=e.vector?3:1,this.values.length!==this.size*this.samples||this.points&&this.points.length!==3*this.samples)throw new Error(`The arrow "${e.name}" does not have as many samples as the view.`);this.largest=0;for(let n=0;n<this.samples;n++)this.largest=Math.max(this.largest,this.magnitude(n)||0);this.point=new D,this.vector=new D,this.shown=!1,this.tip=new D}magnitude(t){let e=this.values,n=this.samples;return this.size===1?Math.abs(e[t]):Math.hypot(e[t],e[n+t],e[2*n+t])}at(t,e,n){let{said:s,samples:r}=this,o=Math.min(t+1,r-1),a=(l,c)=>l[c*r+t]+(l[c*r+o]-l[c*r+t])*e;if(this.points)this.point.set(a(this.points,0),a(this.points,1),a(this.points,2));else if(!s.at||!hd(s.at,n,this.point))return!1;if(this.size===3)this.vector.set(a(this.values,0),a(this.values,1),a(this.values,2));else if(s.along){let l=n(s.along.body);if(!l)return!1;this.vector.fromArray(s.along.direction).transformDirection(l).multiplyScalar(a(this.values,0))}else if(s.from&&s.to){let l=new D;if(!hd(s.from,n,l)||!hd(s.to,n,this.vector))return!1;this.vector.sub(l).normalize().multiplyScalar(a(this.values,0))}return Number.isFinite(this.vector.lengthSq())&&Number.isFinite(this.point.lengthSq())}};function hd(i,t,e){let n=t(i.body);return n&&e.fromArray(i.position).applyMatrix4(n),n!==null}var dh=class{constructor(t){this.block=t,this.root=new Ie,this.all=t.head.arrows.map(a=>new ud(t,a));let e=Math.max(1,2*this.all.length),n=new xs(1,1,1,10).translate(0,.5,0).rotateX(Math.PI/2),s=new eo(1,1,14).translate(0,.5,0).rotateX(Math.PI/2),r=new ma(1,.09,8,40,1.5*Math.PI),o=new eo(.3,.62,12).rotateZ(-Math.PI/2).translate(.1,-1,0);this.meshes=[n,s,r,o].map((a,l)=>({faint:f0(a,new Ji({transparent:!0,opacity:.38,depthTest:!1,depthWrite:!1}),l===1?2*e:e,5),full:f0(a,new Ji({transparent:!0}),l===1?2*e:e,6)}));for(let{faint:a,full:l}of this.meshes)this.root.add(a,l)}groups(){let t=new Map;for(let{said:e}of this.all)t.set(e.group,(t.get(e.group)??0)+1);return t}largest(t,e){return Math.max(0,...this.all.filter(({said:n})=>n.kind===t&&e.has(n.group)).map(n=>n.largest))}place(t,e,n,s){let{i:r,f:o}=Ke(this.block.time,t),a={force:0,torque:0};for(let h of["force","torque"]){let u=this.largest(h,e.groups);a[h]=u>0?fd*e.scale/u:0}this.scale=a;let l=[0,0,0,0],c=(h,u,f)=>{for(let d of[this.meshes[h].faint,this.meshes[h].full])d.setMatrixAt(l[h],u),d.setColorAt(l[h],f);l[h]+=1};for(let h of this.all){let{said:u}=h;if(h.shown=e.groups.has(u.group)&&!e.hidden.has(u.of)&&h.at(r,o,s),!h.shown)continue;let f=h.vector.length()*a[u.kind];if(h.shown=f>L1,!h.shown)continue;let d=new Jt(ph[u.group]?.colour??"#444444"),p=h.vector.clone().normalize();h.tip.copy(h.point).addScaledVector(p,f*n),u0(c,h.point,p,f,n,u.kind==="torque",d),e.reactions&&u.opposite!==void 0&&u0(c,h.point,p.clone().negate(),f,n,u.kind==="torque",d)}this.meshes.forEach(({faint:h,full:u},f)=>{for(let d of[h,u])d.count=l[f],d.instanceMatrix.needsUpdate=!0,d.instanceColor&&(d.instanceColor.needsUpdate=!0)})}};function u0(i,t,e,n,s,r,o){let a=new fe().setFromUnitVectors(U1,e),l=Math.min(h0,.5*n),c=Math.min(1,l/h0)*s,h=r?2:1,u=v=>t.clone().addScaledVector(e,v*s),f=(v,g)=>new D(v,v,g);i(0,new Xt().compose(t,a,f(D1*c,(n-.8*l)*s)),o);for(let v=0;v<h;v++)i(1,new Xt().compose(u(n-l*(1+.7*v)),a,f(F1*c,l*s)),o);if(!r)return;let d=Math.min(.28*n,22)*s,p=new Xt().compose(u(.45*n),a,new D(d,d,d));i(2,p,o),i(3,p,o)}function f0(i,t,e,n){let s=new ui(i,t,e);return s.frustumCulled=!1,s.renderOrder=n,s.raycast=()=>{},s.count=0,s}function Ua(i,t){return t<0?Math.abs(i):Math.max(i,0)}function mh(i,t){let e=0;for(let n=0;n<i.length;n++){let s=Ua(i[n],t?t[n]:1);s>e&&(e=s)}return e}var dd=[[1e9,"G"],[1e6,"M"],[1e3,"k"],[1,""],[.001,"m"],[1e-6,"µ"],[1e-9,"n"]],O1=new Set(["N","N*m","m","Pa","N/m","s","W","J"]);function pd(i,t){let e=t.replaceAll("*","·").replaceAll("^2","²");if(!O1.has(t)||!(i>0)||!Number.isFinite(i))return{factor:1,unit:e};if(t==="Pa"&&i>=1e5)return{factor:1e-6,unit:"MPa"};if(t==="N/m")return{factor:.001,unit:"N/mm"};let[n,s]=dd.find(([r])=>i>=.9995*r)??dd[dd.length-1];return{factor:1/n,unit:s+e}}function ho(i,t){if(!Number.isFinite(i))return"not known";let e=pd(Math.abs(i),t);return`${gh(i*e.factor)} ${e.unit}`.trim()}function gh(i){return i===0?"0":Math.abs(i)>=1e3?String(Math.round(i)):String(Number(i.toPrecision(3)))}function p0(i){let t=10**Math.floor(Math.log10(i)),e=i/t;return(e>=5?5:e>=2?2:1)*t}var m0={heat:[[255,246,178],[254,217,118],[254,178,76],[253,141,60],[244,77,40],[206,16,34],[122,0,36]],shift:[[59,28,110],[52,76,140],[36,120,142],[33,158,134],[84,194,104],[170,215,60],[250,230,50]]};function g0(i,t,e,n=0){let s=m0[i],r=Math.min(1,Math.max(0,t))*(s.length-1),o=Math.min(Math.floor(r),s.length-2),a=r-o;for(let l=0;l<3;l++)e[n+l]=(s[o][l]+(s[o+1][l]-s[o][l])*a)/255}function uo(i,t,e){g0(i,t,e);for(let n=0;n<3;n++)e[n]=e[n]<=.04045?e[n]/12.92:((e[n]+.055)/1.055)**2.4}function x0(i){let t=m0[i],e=[0,0,0],n=t.map((r,o)=>(uo(i,o/(t.length-1),e),`vec3(${e.map(a=>a.toFixed(4)).join(", ")})`)),s=n.slice(1).map((r,o)=>`c = mix(c, ${r}, clamp(x - ${o}.0, 0.0, 1.0));`);return`vec3 ${i}Colour(float part) { float x = part * ${t.length-1}.0; vec3 c = ${n[0]}; ${s.join(" ")} return c; }`}function k1(i,t){let e=new Uint8ClampedArray(4*t),n=[0,0,0];for(let s=0;s<t;s++)g0(i,s/(t-1),n),e.set([255*n[0],255*n[1],255*n[2],255],4*s);return e}function Oa(i,t,e,n,s={}){let r=pd(t,e),o=N("canvas",{width:128,height:1,className:"colours"});o.getContext("2d")?.putImageData(new ImageData(k1(i,128),128,1),0,0);let a=gh(t*r.factor);return N("figure",{className:"colour-bar",title:s.title??"","data-largest":String(t)},N("figcaption",{},`${n} (${r.unit})`),o,N("div",{className:"ends"},N("span",{},"0"),N("span",{},gh(.5*t*r.factor)),N("span",{},s.cut?`≥ ${a}`:a)))}function y0(i,t,e,n,s,r){let{radius:o,angle:a,twist:l,curl:c}=i,h=c*(a-e/o)+l*n+t,u=Math.cos(h),f=Math.sin(h);s[r]=o*u-c*e*f,s[r+1]=o*f+c*e*u,s[r+2]=n}function _0(i,t,e){return Math.sqrt(Math.max(t*t+2*i.radius*e,0))}function v0(i,t,e){let n=e.clone().applyMatrix4(t),s=i.internal?-1:1;return{distance:Math.hypot(n.x,n.y),angle:-Math.atan2(s*n.y,s*n.x),offset:n.z}}function md(i,t,e,n,s){let[r,o]=i.base_radii,a=(t?o-r:o+r)/e.distance;if(!(a>0&&a<1))return[];let l=Math.acos(a),c=e.distance*Math.sin(l),h=2*Math.PI/s,[u,f]=i.limits,d=Math.max(u[0],t?f[0]-c:c-f[1]),p=Math.min(u[1],t?f[1]-c:c-f[0]),v=Math.max(-i.half_faces[0],e.offset-i.half_faces[1]),g=Math.min(i.half_faces[0],e.offset+i.half_faces[1]),m=r*n*i.twist;if(p<=d||g<=v)return[];let _=[],b=w=>r*(i.base_angle+l+n*(h*w+e.angle)),x=Math.abs(m)*Math.max(Math.abs(v),Math.abs(g)),S=(d-x)/r-i.base_angle-l,M=(p+x)/r-i.base_angle-l,y=[S,M].map(w=>(n*w-e.angle)/h);for(let w=Math.ceil(Math.min(...y));w<=Math.floor(Math.max(...y));w++){let I=b(w),C=v,L=g;if(Math.abs(m)>1e-9){let k=[(d-I)/m,(p-I)/m].sort((F,E)=>F-E);C=Math.max(C,k[0]),L=Math.min(L,k[1])}else if(I<d||I>p)continue;L>C&&_.push({tooth:w,from:C,to:L,L0:I,slope:m,length:(L-C)*Math.hypot(1,r*i.twist)})}return _}var gd=24,B1=.1,z1=24,xh=class{constructor(t){this.block=t;let e=t.head.contact??{};this.lines=e.lines??[],this.tables=e.tables??[],this.root=new Ie,this.root.visible=!1,this.drawn=this.lines.map(s=>new xd(t,s,this.tables.filter(({pair:r})=>r===s.pair)));for(let{root:s}of this.drawn)this.root.add(s);let n=new Set(this.tables.map(({pair:s})=>s));this.largest={pressure:Math.max(0,...this.tables.map(({largest:s})=>s)),line:0};for(let s of this.drawn)n.has(s.said.pair)||(this.largest.line=Math.max(this.largest.line,s.largestLineLoad()))}get cut(){return this.tables.some(({cut:t})=>t)}get loads(){let[t]=this.tables;return t&&!this.drawn.some(({force:e})=>e)?t.labels:[]}place(t,e,n){let{i:s,f:r}=Ke(this.block.time,t);for(let o of this.drawn)o.place(s,r,e,this.largest,n)}},xd=class{constructor(t,e,n){this.block=t,this.said=e,this.tables=n,this.samples=t.time.length;let s=h=>h?t.columns(h):null;this.side=s(e.contact),this.force=s(e.normal_force),this.pairForces=s(e.pair_forces);let r=t.head.pairs.find(({name:h})=>h===e.pair)?.cycles;this.cycles=r?t.array(r):null;let o=new ge;this.room=Math.max(3*gd*z1,...n.map(h=>V1(t,h))),this.position=new ne(new Float32Array(3*this.room),3).setUsage(Pa),this.colour=new ne(new Float32Array(4*this.room),4).setUsage(Pa),this.index=new ne(new Uint32Array(6*this.room),1).setUsage(Pa),o.setAttribute("position",this.position),o.setAttribute("color",this.colour),o.setIndex(this.index),this.geometry=o;let a={vertexColors:!0,side:ti,transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-4,polygonOffsetUnits:-4},l=new Re(o,new Ji(a)),c=new Re(o,new Ji({...a,depthTest:!1,opacity:.55}));this.root=new Ie,this.root.matrixAutoUpdate=!1;for(let[h,u]of[[c,3],[l,4]])h.frustumCulled=!1,h.renderOrder=u,h.raycast=()=>{},this.root.add(h);this.local=new Xt,this.corners=this.faces=this.patches=0}frame(){let e=this.block.head.bodies.find(({name:r})=>r===this.said.body)?.parts.find(({name:r,kind:o})=>r===this.said.wheel&&o==="gear")??this.said,n=e.rotation,s=e.position;return this.local.set(n[0][0],n[0][1],n[0][2],s[0],n[1][0],n[1][1],n[1][2],s[1],n[2][0],n[2][1],n[2][2],s[2],0,0,0,1)}place(t,e,n,s,r){let o=n(this.said.body),a=n(this.said.other);if(this.root.visible=o!==null&&a!==null,!o||!a)return;this.root.matrix.multiplyMatrices(o,this.frame());let l=v0(this.said,this.root.matrix.clone().invert(),new D().fromArray(this.said.centre).applyMatrix4(a)),c=this.at(this.force,t,e),h=this.side?Math.sign(this.side[t]):this.tables[0]?.side??1,u=c===null?null:Ua(c,h);if(this.corners=this.faces=this.patches=0,h!==0&&!(u!==null&&u<=0)){let f=this.tables.find(d=>d.side===h);f?this.pressures(f,l.angle,u,s.pressure,r):this.said.ideal&&this.idealLines(this.said.ideal,l,h,u,t,s.line)}this.geometry.setDrawRange(0,this.faces),this.position.needsUpdate=this.colour.needsUpdate=this.index.needsUpdate=!0}at(t,e,n){if(!t)return null;let s=Math.min(e+1,this.samples-1),r=t[e]+(t[s]-t[e])*n;return Number.isFinite(r)?r:0}grid(t,e,n,s,r){let o=this.corners;if(o+n*s>this.room)return;let a=this.position.array,l=this.colour.array,c=this.index.array,h=[0,0,0,1],u=o,f=this.faces;for(let d=0;d<n;d++)for(let p=0;p<s;p++,u++){let[v,g]=r(d,p,h);y0(t,e,v,g,a,3*u),l.set(h,4*u),d+1<n&&p+1<s&&(c.set([u,u+1,u+s+1,u,u+s+1,u+s],f),f+=6)}this.corners=u,this.faces=f,this.patches+=1}idealLines(t,e,n,s,r,o){let a={radius:t.base_radii[0],angle:t.base_angle,twist:t.twist,curl:n},l=md(t,this.said.internal,e,n,this.said.teeth),c=2*Math.PI/this.said.teeth,h=this.lineLoads(l,e.angle,s,r);l.forEach(({tooth:u,from:f,to:d,L0:p,slope:v},g)=>{let m=[.5,0,0];h&&o>0&&uo("heat",h[g]/o,m),!(h&&!(h[g]>0))&&this.grid(a,c*u,gd,3,(_,b,x)=>{let S=f+(d-f)*_/(gd-1);return[x[0],x[1],x[2],x[3]]=[m[0],m[1],m[2],1],[_0(a,p+v*S,(b-1)*B1*t.module),S]})})}lineLoads(t,e,n,s){let{pairForces:r,cycles:o,samples:a,said:l}=this;if(r&&o){let h=r.length/a,u=Math.round(o[s]-e*l.teeth/(2*Math.PI));return t.map(({tooth:f,length:d})=>{let p=((f-u)%h+h)%h;return Math.abs(r[p*a+s])/d})}if(n===null)return null;let c=t.reduce((h,u)=>h+u.length,0);return t.map(()=>n/c)}largestLineLoad(){let{ideal:t,internal:e}=this.said;if(!this.force||!t)return 0;let n=0;for(let s=0;s<32;s++){let r={distance:t.distance,angle:2*Math.PI*s/32/this.said.teeth,offset:t.offset},o=md(t,e,r,1,this.said.teeth),a=o.reduce((l,c)=>l+c.length,0);a>0&&(n=Math.max(n,1/a))}return n*mh(this.force,this.side)}pressures(t,e,n,s,r){let{block:o}=this,a=o.float(t.angles),l=2*Math.PI/this.said.teeth,c=n===null?Math.min(r??1/0,t.loads.length-1):G1(t.loads,n),h=n===null?1:Math.sqrt(n/t.loads[c]),u=0,f=0,d=1/0;for(let C=0;C<a.length;C++){let L=Math.round((e-a[C])/l),k=Math.abs(e-a[C]-L*l);k<d-1e-9&&([u,f,d]=[C,L,k])}let p=e-a[u]-f*l,v={radius:t.base_radius,angle:t.base_angle,twist:t.twist,curl:t.side},g=o.array(t.first),m=c*a.length+u,_=o.array(t.tooth),b=o.float(t.zeta),x=o.float(t.low),S=o.float(t.high),M=o.float(t.pressure),{rows:y,columns:w}=t,I=v.curl*v.radius*p;for(let C=g[m];C<g[m+1];C++)this.grid(v,l*(_[C]-f),y,w,(L,k,F)=>{let E=C*y+L,z=M[E*w+k]*h,X=Math.max(x[E]+I,0),V=Math.max(S[E]+I,0),rt=k/(w-1);return uo("heat",z/s,F),F[3]=z>0?1:0,[Math.sqrt(X*X+rt*(V*V-X*X)),b[E]]})}};function V1(i,t){let e=i.array(t.first),n=0;for(let s=1;s<e.length;s++)n=Math.max(n,e[s]-e[s-1]);return Math.min(n*t.rows*t.columns,i.float(t.pressure).length)}function G1(i,t){let e=0;for(let n=1;n<i.length;n++)Math.abs(i[n]-t)<Math.abs(i[e]-t)&&(e=n);return e}var yd=`
  #ifdef BEND
    uniform vec4 bendShift[BEND]; // displacement, place along the axis
    uniform vec3 bendTilt[BEND];
    uniform float magnify;
  #endif
  #ifdef SHIFTED
    uniform vec3 shift;
    uniform vec3 tilt;
    uniform vec3 shiftFrom;
    uniform float shiftLargest;
    varying float vShift;
  #endif
  #ifdef FIELD
    attribute float moved; // how far a corner has moved [m]
  #endif
  #ifdef TINT
    varying vec3 vPlace;
  #endif
  void bend(inout vec3 place, inout vec3 across) {
    #ifdef BEND
      vec3 d = bendShift[0].xyz, t = bendTilt[0];
      for (int k = 0; k < BEND - 1; k++) {
        float a = bendShift[k].w, h = bendShift[k + 1].w - a;
        if (place.z < a && k > 0) break;
        float s = clamp((place.z - a) / h, 0.0, 1.0);
        vec3 t0 = bendTilt[k], t1 = bendTilt[k + 1];
        d = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s) * bendShift[k].xyz + s * (1.0 - s) * (1.0 - s) * h * vec3(t0.y, -t0.x, 0.0)
          + s * s * (3.0 - 2.0 * s) * bendShift[k + 1].xyz + s * s * (s - 1.0) * h * vec3(t1.y, -t1.x, 0.0);
        t = mix(t0, t1, s);
      }
      vec3 by = d + cross(t, vec3(place.xy, 0.0));
      place += magnify * by;
      across += magnify * cross(t, across);
      #ifdef SHIFTED
        vShift = length(by) / shiftLargest;
      #endif
    #else
      #if defined(SHIFTED) && defined(FIELD)
        vShift = moved / shiftLargest;
      #elif defined(SHIFTED)
        vShift = length(shift + cross(tilt, place - shiftFrom)) / shiftLargest;
      #endif
    #endif
  }
`,M0=`
  #ifdef SHIFTED
    varying float vShift;
    ${x0("shift")}
  #endif
  #ifdef TINT
    uniform vec4 tintAt[TINT]; // in the world; module of the teeth
    uniform vec3 tintUp[TINT]; // along the teeth, from the axis to the point
    uniform vec3 tintSide[TINT]; // across them
    uniform vec4 tintColour[TINT];
    varying vec3 vPlace;
  #endif
  vec3 painted(vec3 base) {
    #ifdef SHIFTED
      base = shiftColour(clamp(vShift, 0.0, 1.0));
    #endif
    #ifdef TINT
      for (int k = 0; k < TINT; k++) {
        vec3 r = vPlace - tintAt[k].xyz;
        // some teeth to either side, from root to tip
        float near = (1.0 - smoothstep(3.5, 6.5, abs(dot(r, tintSide[k])) / tintAt[k].w)) * (1.0 - smoothstep(1.3, 2.2, abs(dot(r, tintUp[k])) / tintAt[k].w));
        base = mix(base, tintColour[k].rgb, tintColour[k].a * near);
      }
    #endif
    return base;
  }
`;function fo(i,t,e){(i.defines[t]??null)!==e&&(e===null?delete i.defines[t]:i.defines[t]=e,i.needsUpdate=!0)}function ur(i,t){for(let[e,n]of Object.entries(t))i.uniforms[e]?i.uniforms[e].value=n:i.uniforms[e]={value:n}}var H1=60,_d=class{constructor(t,e,n){this.said=n,this.samples=t.time.length,this.stations=n.stations.map(({body:r,place:o,shift:a,tilt:l})=>({body:e.byName.get(r),place:o??0,shift:t.columns(a),tilt:t.columns(l),d:new D,t:new D}));for(let{shift:r,tilt:o}of this.stations)if(r.length!==3*this.samples||o.length!==3*this.samples)throw new Error(`The displacements of "${n.name}" do not have as many samples as the view.`);this.whole=e.byName.get(n.name),this.middle=this.stations.find(({body:r})=>r&&r.name===n.moves_with);let s=Math.ceil(this.stations.length/H1);if(this.kept=this.stations.filter((r,o)=>o%s===0||o===this.stations.length-1),this.bends=n.kind==="shaft"&&!!this.whole&&!!this.middle&&this.kept.length>1,this.field=n.field&&this.whole?new vd(t,n.field,this.whole):null,!(!this.bends||!this.whole))for(let{material:r,edges:o,mesh:a,lines:l}of this.whole.parts){for(let c of[r,o])fo(c,"BEND",this.kept.length),ur(c,{bendShift:this.kept.map(({place:h})=>new Ce(0,0,0,h)),bendTilt:this.kept.map(()=>new D),magnify:1});a.frustumCulled=!1,l&&(l.frustumCulled=!1)}}largest(t){return t?this.said.largest:this.said.largest_across??this.said.largest}read(t,e,n){let s=this.samples,r=Math.min(t+1,s-1),o=(l,c)=>{for(let h=0;h<3;h++)c.setComponent(h,l[h*s+t]+(l[h*s+r]-l[h*s+t])*e||0)},a=!n&&this.said.axis?new D().fromArray(this.said.axis):null;for(let{shift:l,tilt:c,d:h,t:u}of this.stations)o(l,h),o(c,u),a&&h.addScaledVector(a,-h.dot(a))}show(t,e,n){for(let{body:o,d:a,t:l}of this.stations)o&&b0(o,a,l,n-1);let{whole:s,middle:r}=this;if(this.field&&this.field.show(t,e,n),!(!s||!r||this.field)&&(b0(s,r.d,r.t,this.bends?-1:n-1),!!this.bends)){s.group.updateMatrix();for(let{holder:o,material:a,edges:l}of s.parts){let c=new Zt().setFromMatrix4(new Xt().multiplyMatrices(s.group.matrix,o.matrix)).transpose(),h={bendShift:this.kept.map(({d:u,place:f})=>{let d=u.clone().applyMatrix3(c);return new Ce(d.x,d.y,d.z,f)}),bendTilt:this.kept.map(({t:u})=>u.clone().applyMatrix3(c)),magnify:n};for(let u of[a,l])ur(u,h)}}}use(t,e){for(let n of[this.whole,...this.stations.map(s=>s.body)])for(let{material:s}of n?.parts??[])fo(s,"SHIFTED",t?"":null),ur(s,{shiftLargest:e||1,shift:new D,tilt:new D,shiftFrom:new D})}colour(){for(let{body:t,d:e,t:n}of[...this.stations,...this.bends||!this.middle?[]:[{...this.middle,body:this.whole}]])if(t){t.group.updateMatrix();for(let{holder:s,material:r}of t.parts){let o=new Zt().setFromMatrix4(new Xt().multiplyMatrices(t.group.matrix,s.matrix)).transpose();ur(r,{shift:e.clone().applyMatrix3(o),tilt:n.clone().applyMatrix3(o),shiftFrom:new D().applyMatrix4(s.matrix.clone().invert())})}}}},vd=class{constructor(t,e,n){this.said=e,this.samples=t.time.length,this.body=n,this.amounts=t.float(e.amounts);let[{mesh:s,lines:r,material:o}]=n.parts,a=l=>l.clone();s.geometry=a(s.geometry),r&&(r.geometry=a(r.geometry)),this.moving=[{geometry:s.geometry,fields:t.float(e.corners)},...r?[{geometry:r.geometry,fields:t.float(e.edges)}]:[]].map(({geometry:l,fields:c})=>({geometry:l,fields:c,rest:Float32Array.from(l.attributes.position.array)}));for(let{fields:l,rest:c}of this.moving)if(l.length!==e.count*c.length)throw new Error(`The fields of "${n.name}" do not fit its surface.`);s.geometry.setAttribute("moved",new ne(new Float32Array(this.moving[0].rest.length/3),1)),s.frustumCulled=!1,fo(o,"FIELD","")}show(t,e,n){let{said:s,samples:r,amounts:o}=this,a=Math.min(t+1,r-1),l=Array.from({length:s.count},(d,p)=>o[p*r+t]+(o[p*r+a]-o[p*r+t])*e),[c,h,u,f]=s.quaternion;this.body.group.position.fromArray(s.position),this.body.group.quaternion.set(h,u,f,c);for(let{geometry:d,fields:p,rest:v}of this.moving){let g=d.attributes.position,m=d.attributes.moved;for(let _=0;_<v.length;_+=3){let b=[0,0,0];for(let x=0;x<s.count;x++)for(let S=0;S<3;S++)b[S]+=l[x]*p[x*v.length+_+S];for(let x=0;x<3;x++)g.array[_+x]=v[_+x]+n*b[x];m&&(m.array[_/3]=Math.hypot(b[0],b[1],b[2]))}g.needsUpdate=!0,m&&(m.needsUpdate=!0)}}};function b0(i,t,e,n){if(!n)return;i.group.position.addScaledVector(t,n);let s=e.length()*n;s&&i.group.quaternion.premultiply(new fe().setFromAxisAngle(e.clone().normalize(),s))}var yh=class{constructor(t,e){this.block=t;let n=t.head.deformed?.structures??[];this.structures=n.map(s=>new _d(t,e,s)),this.coloured=!1}largest(t){return Math.max(0,...this.structures.map(e=>e.largest(t)))}get words(){return[...new Set(this.structures.map(({said:t})=>t.text))].join("; ")}use(t,e){let n=this.largest(e);this.coloured=t&&n>0;for(let s of this.structures)s.use(this.coloured,n)}show(t,e,n){let{i:s,f:r}=Ke(this.block.time,t);for(let o of this.structures)o.read(s,r,n),o.show(s,r,e),this.coloured&&o.colour()}};var W1=32,X1=1/24,_h=class{constructor(t,e){this.block=t,this.bodies=e;let n=t.head.pairs.filter(({force:s,point:r})=>s&&r);this.pairs=n.map(s=>({said:s,force:t.columns(s.force),contact:s.contact?t.columns(s.contact):null,point:t.columns(s.point)})),this.largest=0;for(let{force:s,contact:r}of this.pairs)this.largest=Math.max(this.largest,mh(s,r));this.parts=e.parts.flatMap(s=>{let r=new Set([s.said.name,...s.said.also??[]]),o=this.pairs.flatMap(a=>{let{said:l}=a;return r.has(l.wheel_a)?[{pair:a,axis:l.axis_a,centre:l.centre_a,body:l.body_a}]:r.has(l.wheel_b)?[{pair:a,axis:l.axis_b,centre:l.centre_b,body:l.body_b}]:[]});return o.splice(W1),o.length&&s.body.name===o[0].body?[{part:s,pairs:o}]:[]})}use(t){for(let{part:e,pairs:n}of this.parts)fo(e.material,"TINT",t&&this.largest>0?n.length:null)}place(t,e){let{i:n,f:s}=Ke(this.block.time,t),r=this.block.time.length,o=Math.min(n+1,r-1),a=(c,h)=>c[h*r+n]+(c[h*r+o]-c[h*r+n])*s,l=[0,0,0];for(let{part:c,pairs:h}of this.parts){let u=[],f=[],d=[],p=[];for(let{pair:v,axis:g,centre:m}of h){let _=Ua(a(v.force,0),v.contact?v.contact[n]:1),b=new D(a(v.point,0),a(v.point,1),a(v.point,2)).applyMatrix4(e);uo("heat",_/this.largest,l),u.push(new Ce(b.x,b.y,b.z,X1*v.said.size));let x=new D().fromArray(g).transformDirection(c.body.group.matrixWorld),S=b.clone().sub(new D().fromArray(m).applyMatrix4(c.body.group.matrixWorld));f.push(S.addScaledVector(x,-S.dot(x)).normalize()),d.push(x.cross(S)),p.push(new Ce(l[0],l[1],l[2],_>0?1:0))}ur(c.material,{tintAt:u,tintUp:f,tintSide:d,tintColour:p})}}};var w0={groups:null,arrowScale:1,reactions:!1,contact:null,load:null,magnification:1,axial:!1,colour:"own"},vh=class{constructor(t){this.app=t,this.listeners=[],this.layers=this.attach(),this.use(),t.store.on(["record"],()=>{this.layers=this.attach(),this.use(),t.world.show(),this.tell()}),t.store.on(["effects"],()=>{this.use(),this.layers.deformed.structures.length&&t.world.show(),this.tell(),t.redraw()})}get arrows(){return this.layers.arrows}get contact(){return this.layers.contact}set(t){this.app.store.set({effects:{...this.app.store.state.effects,...t}})}onChange(t){this.listeners.push(t)}tell(){for(let t of this.listeners)t()}groups(){let{groups:t}=this.app.store.state.effects;return t??new Set([...this.arrows.groups()].filter(([e,n])=>e!=="joint"&&n<=d0).map(([e])=>e))}attach(){let{block:t,world:e}=this.app,n=new dh(t),s=new xh(t),r=new _h(t,e.loaded.bodies),o=new yh(t,e.loaded.bodies);return e.loaded.bodies.root.add(n.root,s.root),e.loaded.scene.onBeforeRender=()=>this.before(),{block:t,arrows:n,contact:s,meshColour:r,deformed:o}}get showsContact(){let t=()=>this.contact.tables.length>0||this.app.block.head.pairs.some(({law:e})=>e==="Loaded"||e==="Flank");return this.app.store.state.effects.contact??t()}poseOf(t){let e=this.app.world.loaded.bodies.byName.get(t);return e?(e.group.updateMatrix(),e.group.matrix):t==="ground"?new Xt:null}use(){let{colour:t,axial:e}=this.app.store.state.effects;this.layers.meshColour.use(t==="force"),this.layers.deformed.use(t==="displacement",e)}deform(t){let{magnification:e,axial:n}=this.app.store.state.effects;this.layers.deformed.show(t,e,n)}before(){let{state:t}=this.app.store,{arrowScale:e,reactions:n}=t.effects,s={groups:this.groups(),hidden:t.hidden,scale:e,reactions:n},r=o=>this.poseOf(o);this.arrows.place(t.time,s,this.pixel(),r),t.effects.colour==="force"&&this.layers.meshColour.place(t.time,this.app.world.loaded.bodies.root.matrixWorld),this.contact.root.visible=this.showsContact,this.showsContact&&this.contact.place(t.time,r,t.effects.load);for(let{root:o}of[this.arrows,this.contact])o.updateWorldMatrix(!0,!0)}pixel(){return 2*this.app.world.eye.half()/Math.max(this.app.world.canvas.clientHeight,1)}};var S0={edges:!0,floor:!1,joints:null,frames:"none",names:!1,parallel:!1,follow:"",turning:!1,cut:{on:!1,by:"x",place:.5,flip:!1}},q1=20;function ka(i,t){return i.joints??t.joints.length<=q1}function Fn(i,t){i.store.set({look:{...i.store.state.look,...t}})}function A0(){return{plane:{value:new Ce}}}var T0=`
  ${yd}
  varying vec3 vNormal;
  #ifdef USE_COLOR
    varying vec3 vColor;
  #endif
  #ifdef CUT
    uniform vec4 cutPlane;
    varying float vBeyond;
  #endif
  void main() {
    vec4 place = vec4(position, 1.0);
    vec3 across = normal;
    #ifdef USE_INSTANCING
      place = instanceMatrix * place;
      across = mat3(instanceMatrix) * across;
    #endif
    bend(place.xyz, across);
    #ifdef TINT
      vPlace = (modelMatrix * place).xyz;
    #endif
    vNormal = normalMatrix * across;
    #ifdef USE_COLOR
      vColor = color;
    #endif
    #ifdef CUT
      vBeyond = dot((modelMatrix * place).xyz, cutPlane.xyz) - cutPlane.w;
    #endif
    gl_Position = projectionMatrix * (modelViewMatrix * place);
  }
`,$1=`
  ${M0}
  uniform vec3 diffuse;
  uniform vec3 emissive;
  uniform float opacity;
  varying vec3 vNormal;
  #ifdef USE_COLOR
    varying vec3 vColor;
  #endif
  #ifdef CUT
    varying float vBeyond;
  #endif
  void main() {
    #ifdef CUT
      if (vBeyond > 0.0) discard;
    #endif
    vec3 base = diffuse;
    #ifdef USE_COLOR
      base *= vColor;
    #endif
    base = painted(base);
    vec3 n = normalize(vNormal);
    #ifdef BOTH
      if (!gl_FrontFacing) n = -n;
    #endif
    float light = 0.43 + 0.17 * n.y + 0.62 * max(dot(n, vec3(0.36, 0.52, 0.775)), 0.0) + 0.10 * max(dot(n, vec3(-0.8, -0.35, 0.49)), 0.0);
    float shine = max(dot(n, vec3(0.191, 0.276, 0.942)), 0.0);
    shine *= shine; shine *= shine; shine *= shine; shine *= shine; shine *= shine;
    gl_FragColor = vec4(sqrt(base * light + 0.13 * shine + emissive), opacity);
  }
`,qs=class extends In{constructor(t,{color:e="#9a9a9a",opacity:n=1,bothSides:s=!1}={}){super({vertexShader:T0,fragmentShader:$1,uniforms:{diffuse:{value:new Jt(e)},emissive:{value:new Jt(0)},opacity:{value:1},cutPlane:t.plane},polygonOffset:!0,polygonOffsetFactor:1,polygonOffsetUnits:1}),this.bothSides=s,s&&(this.defines.BOTH=""),this.side=s?ti:Ki,this.fade(n)}get color(){return this.uniforms.diffuse.value}get emissive(){return this.uniforms.emissive.value}fade(t){this.opacity=t,this.uniforms.opacity.value=t,this.transparent=t<1,this.depthWrite=t>=1}setCut(t){t!=="CUT"in this.defines&&(t?this.defines.CUT="":delete this.defines.CUT,Object.assign(this,{stencilWrite:t,stencilRef:0,stencilFunc:Ra,stencilZPass:oh}),this.needsUpdate=!0)}},Mh=class extends In{constructor(t){super({vertexShader:T0,fragmentShader:`
        uniform vec3 diffuse;
        uniform vec3 emissive;
        uniform float opacity;
        varying float vBeyond;
        void main() {
          if (vBeyond > 0.0) discard;
          float stripe = smoothstep(0.72, 0.86, abs(fract((gl_FragCoord.x + gl_FragCoord.y) * 0.0714) * 2.0 - 1.0));
          gl_FragColor = vec4(sqrt(mix(diffuse * 0.66 + 0.2, diffuse * 0.3, stripe * 0.6) + emissive), opacity);
        }`,defines:{CUT:""},polygonOffset:!0,polygonOffsetFactor:2,polygonOffsetUnits:2,side:Dn,stencilWrite:!0,stencilRef:1,stencilFunc:Ra,stencilZPass:oh}),this.uniforms=t.uniforms,this.follow(t)}follow(t){this.defines.BEND!==t.defines.BEND&&(t.defines.BEND===void 0?delete this.defines.BEND:this.defines.BEND=t.defines.BEND,this.needsUpdate=!0),this.transparent=t.transparent,this.depthWrite=t.depthWrite}},bh=class extends In{constructor(t,e="#1d2329"){super({vertexShader:`
        ${yd}
        #ifdef CUT
          uniform vec4 cutPlane;
          varying float vBeyond;
        #endif
        void main() {
          vec3 place = position, across = vec3(0.0);
          bend(place, across);
          #ifdef CUT
            vBeyond = dot((modelMatrix * vec4(place, 1.0)).xyz, cutPlane.xyz) - cutPlane.w;
          #endif
          gl_Position = projectionMatrix * (modelViewMatrix * vec4(place, 1.0));
        }`,fragmentShader:`
        uniform vec3 diffuse;
        uniform float opacity;
        #ifdef CUT
          varying float vBeyond;
        #endif
        void main() {
          #ifdef CUT
            if (vBeyond > 0.0) discard;
          #endif
          gl_FragColor = vec4(sqrt(diffuse), opacity);
        }`,uniforms:{diffuse:{value:new Jt(e)},opacity:{value:.5},cutPlane:t.plane},transparent:!0,depthWrite:!1})}get color(){return this.uniforms.diffuse.value}setCut(t){t!=="CUT"in this.defines&&(t?this.defines.CUT="":delete this.defines.CUT,Object.assign(this,{stencilWrite:t,stencilRef:0,stencilFunc:Hf,stencilZPass:Zr}),this.needsUpdate=!0)}};function Md(i,t=i.app.store.state.look.cut){let{loaded:e}=i,{root:n}=e,s=i.views.selected,r=new D(t.by==="x"?1:0,t.by==="y"?1:0,t.by==="z"?1:0),o=1/0,a=-1/0;if(t.by==="axis"){let{axis:h,point:u}=e.places.axis(s);r.crossVectors(h,Math.abs(h.z)<.9?new D(0,0,1):new D(0,1,0)).normalize();for(let f of e.reached)a=Math.max(a,Math.abs(f.clone().applyMatrix4(n.matrixWorld).sub(u).dot(r)));a=Number.isFinite(a)?a:e.size,o=u.dot(r)-a,a=u.dot(r)+a}else{r.transformDirection(n.matrixWorld);for(let h of e.reached){let u=h.clone().applyMatrix4(n.matrixWorld).dot(r);o=Math.min(o,u),a=Math.max(a,u)}o>a&&(o=-1,a=1)}let l=o+t.place*(a-o),c=Number.isFinite(l)?l:0;return t.flip?{normal:r.negate(),offset:-c}:{normal:r,offset:c}}function E0(i){let{loaded:t,app:e}=i,{on:n}=e.store.state.look.cut;for(let o of t.bodies.parts){if(o.material.setCut(n),o.edges.setCut(n),n&&!o.section&&(o.section=Y1(o)),!o.section)continue;let{section:a,material:l,mesh:c}=o;a.visible=n,a.geometry=c.geometry,a.material.follow(l)}for(let{mesh:o}of[...t.springs.all,...t.sheets.all])o.material.setCut(n);if(!n)return;let{normal:s,offset:r}=Md(i);t.cut.plane.value.set(s.x,s.y,s.z,r)}function Y1({mesh:i,material:t,holder:e}){let n=new Mh(t),s=i instanceof ui?new ui(i.geometry,n,i.count):new Re(i.geometry,n);return s instanceof ui&&i instanceof ui&&(s.instanceMatrix=i.instanceMatrix),s.frustumCulled=i.frustumCulled,e.add(s),s}function C0(i,t){if(!i.app.store.state.look.cut.on)return!1;let{x:e,y:n,z:s,w:r}=i.loaded.cut.plane.value;return t.x*e+t.y*n+t.z*s>r}function Jn({head:i},t){if(!t)return null;let e=i.bodies.find(o=>o.name===t);if(e)return{kind:"body",name:t,said:e};for(let o of i.bodies)for(let a of o.parts)if(a.name===t)return{kind:"part",name:t,said:a,body:o.name};let n=i.pairs.find(o=>o.name===t);if(n)return{kind:"pair",name:t,said:n};let s=i.joints.find(o=>o.name===t);if(s)return{kind:"joint",name:t,said:s};let r=i.springs.find(o=>o.name===t);return r?{kind:"spring",name:t,said:r}:null}function Ss(i){return i?i.kind==="body"?i.name:i.kind==="part"?i.body:i.kind==="pair"?i.said.body_a:i.kind==="joint"?i.said.body:i.said.a.body:""}var wh=class{constructor(t,e,n){this.block=t,this.bodies=e,this.root=n}at(t,e){return new D().fromArray(e).applyMatrix4((this.bodies.byName.get(t)?.group??this.root).matrixWorld)}direction(t,e){return new D().fromArray(e).transformDirection((this.bodies.byName.get(t)?.group??this.root).matrixWorld)}gear(t){let e=this.bodies.parts.filter(({said:n})=>n.kind==="gear"||n.kind==="rack");return e.find(n=>n.name===t)??e.find(n=>n.body.name===t)}points(t){return this.corners(t).filter(e=>Number.isFinite(e.lengthSq()))}corners(t){if(t.kind==="body"){let e=this.bodies.byName.get(t.name),n=e?.support.map(s=>s.clone().applyMatrix4(e.group.matrixWorld))??[];return n.length?n:[this.at(t.name,[0,0,0])]}if(t.kind==="part"){let e=this.bodies.parts.find(n=>n.said===t.said);return e?.shape.support.map(n=>n.clone().applyMatrix4(e.holder.matrixWorld))??[]}return t.kind==="pair"?[t.said.wheel_a,t.said.wheel_b].flatMap(e=>{let n=this.gear(e);return n?.shape.support.map(s=>s.clone().applyMatrix4(n.holder.matrixWorld))??[]}):t.kind==="joint"?[this.at(t.said.body,t.said.position)]:[this.at(t.said.a.body,t.said.a.position),this.at(t.said.b.body,t.said.b.position)]}axis(t){if(t?.kind==="joint")return{point:this.at(t.said.body,t.said.position),axis:this.direction(t.said.body,t.said.axis)};if(t?.kind==="spring"){let r=this.at(t.said.a.body,t.said.a.position),o=this.at(t.said.b.body,t.said.b.position).sub(r);return{point:r,axis:o.lengthSq()?o.normalize():new D(0,0,1)}}let e=t?.kind==="pair"?t.said.wheel_a:t?.name,s=((t?.kind==="part"?this.bodies.parts.find(r=>r.said===t.said):e?this.gear(e):this.bodies.parts.find(r=>r.said.kind==="gear"))?.holder??this.bodies.byName.get(Ss(t))?.group??this.root).matrixWorld;return{point:new D().setFromMatrixPosition(s),axis:new D(0,0,1).transformDirection(s)}}mesh(t,e){if(t.point){let h=this.block.float(t.point),{i:u}=Ke(this.block.time,e),f=h.length===3?0:3*u,d=new D(h[f],h[f+1],h[f+2]);if(Number.isFinite(d.lengthSq())&&d.lengthSq()>0)return d.applyMatrix4(this.root.matrixWorld)}let n=this.gear(t.wheel_a),s=this.gear(t.wheel_b);if(!n||!s)return null;let r=new D().setFromMatrixPosition(n.holder.matrixWorld),o=new D().setFromMatrixPosition(s.holder.matrixWorld),[a,l]=[n,s].map(h=>Math.max(...h.shape.support.map(u=>Math.hypot(u.x,u.y))));return r.distanceTo(o)<Math.max(a,l)-.5*Math.min(a,l)?a<l?r.clone().addScaledVector(r.clone().sub(o).normalize(),a):o.clone().addScaledVector(o.clone().sub(r).normalize(),l):r.lerp(o,a/(a+l))}};function Sh({head:i}){return new Set(i.bodies.filter(t=>t.hidden).map(t=>t.name))}function Ah(i,t,e){let n=new Set(i);for(let s of t)e?n.add(s):n.delete(s);return n}function Th(i,t){let e=Jn(i.block,t);if(e?.kind==="pair")return[e.said.body_a,e.said.body_b];if(e?.kind==="joint")return[e.said.body,e.said.other];if(e?.kind==="spring")return[e.said.a.body,e.said.b.body];let n=Ss(e);return n?[n,...i.block.head.bodies.filter(s=>s.structure===n).map(s=>s.name)]:[]}function bd(i,t){let e=new Set(Th(i,t));if(!e.size)return;let n=new Set(i.block.head.bodies.map(s=>s.name).filter(s=>!e.has(s)));R0(i,t)?Eh(i):i.store.set({hidden:n})}function R0(i,t){let e=new Set(Th(i,t)),{hidden:n}=i.store.state;return e.size>0&&i.block.head.bodies.every(s=>n.has(s.name)!==e.has(s.name))}function Eh(i){i.store.set({hidden:Sh(i.block),clear:new Set})}function wd(i,t){let{hidden:e}=i.store.state;i.store.set({hidden:Ah(e,[t],!e.has(t))})}function Sd(i,t){let{clear:e}=i.store.state,n=Th(i,t),s=Jn(i.block,t),r=s?.kind==="part"||s?.kind==="spring"?[t]:n;i.store.set({clear:Ah(e,r,!r.every(o=>e.has(o)))})}function Z1(i,t){let e=Jn(i.block,t),n=e?.kind==="part"||e?.kind==="spring"?[t]:Th(i,t);return n.length>0&&n.every(s=>i.store.state.clear.has(s))}function Ch(i,t){let e=Ss(Jn(i.block,t));e&&Fn(i,{follow:i.store.state.look.follow===e?"":e})}function Ad(i){let{cut:t}=i.store.state.look;Ba(i,{on:!t.on})}function Ba(i,t){let e={...i.store.state.look.cut,...t};(t.on||t.by)&&(e.flip=Md(i.world,{...e,flip:!1}).normal.dot(i.world.eye.back())<0),Fn(i,{cut:e})}function za(i,t){let{state:e}=i.store,n=Jn(i.block,t);if(!n)return[];let s=Ss(n),r=i.block.head.pairs.some(a=>[a.name,a.wheel_a,a.wheel_b,a.body_a,a.body_b].includes(t)),o=a=>()=>{i.store.set({selected:t}),a()};return[{id:"zoom",text:"Zoom to",key:"",on:!1,run:()=>i.world.views.zoomTo(t)},{id:"along",text:"Along its axis",key:"A",on:!1,run:o(()=>i.world.views.along())},...r?[{id:"mesh",text:"At the mesh",key:"M",on:!1,run:o(()=>i.world.views.atMesh())}]:[],...s?[{id:"follow",text:"Follow",key:"G",on:e.look.follow===s,run:()=>Ch(i,t)},{id:"isolate",text:"Isolate",key:"I",on:R0(i,t),run:()=>bd(i,t)},{id:"clear",text:"See through",key:"T",on:Z1(i,t),run:()=>Sd(i,t)}]:[],{id:"hide",text:"Hide",key:"H",on:e.hidden.has(t),run:()=>wd(i,t)}]}function P0(i){let{store:t,regions:e,world:n}=i,{views:s}=n,r=()=>t.state.selected||i.block.head.bodies.find(E=>E.parts.some(z=>z.kind==="gear"))?.name||i.block.head.bodies[0]?.name||"",o=(E,z,X,V)=>N("button",{type:"button",id:E,title:X,onclick:V},z),a=(...E)=>N("div",{className:"group"},...E),l=o("tool-follow","Follow","Follow the selected body (G)",()=>Ch(i,t.state.look.follow||r())),c=o("tool-cut","Cut","Cutting plane (C)",()=>Ad(i)),h=o("tool-show","Show","Items drawn in addition to the bodies",()=>L(!!_.hidden));h.setAttribute("aria-haspopup","true");let u=(E,z,X)=>{let V=N("input",{type:"checkbox",id:E,onchange:()=>Fn(i,X(V.checked))});return{box:V,label:N("label",{},V,z)}},f=u("show-edges","Edges (E)",E=>({edges:E})),d=u("show-floor","Floor grid",E=>({floor:E})),p=u("show-joints","Joints (J)",E=>({joints:E})),v=u("show-names","Names (N)",E=>({names:E})),g=u("show-parallel","Parallel projection (P)",E=>({parallel:E})),m=N("select",{id:"show-frames",onchange:()=>Fn(i,{frames:m.value})},new Option("none","none"),new Option("of the selected body","selected"),new Option("of all bodies","all")),_=N("div",{id:"shown",hidden:!0,role:"group","aria-label":"Show"},f.label,p.label,v.label,d.label,N("label",{},"Axes ",m),g.label,N("button",{type:"button",id:"tool-all",title:"Show all parts, none see-through (S)",onclick:()=>Eh(i)},"Show all parts")),b=N("select",{id:"cut-by","aria-label":"Cutting plane",onchange:()=>Ba(i,{by:b.value})},new Option("across x","x"),new Option("across y","y"),new Option("across z","z"),new Option("through the axis","axis")),x=N("input",{id:"cut-place",type:"range",min:"0",max:"1",step:"0.001","aria-label":"Position of the cutting plane",oninput:()=>Ba(i,{place:Number(x.value)})}),S=o("cut-flip","Flip","Keep the other side",()=>Ba(i,{flip:!t.state.look.cut.flip})),M=N("div",{id:"cut-row",className:"row",role:"group","aria-label":"Cutting plane"},"Cut",b,x,S),y=N("span",{}),w=N("input",{type:"checkbox",id:"follow-turning",onchange:()=>Fn(i,{turning:w.checked})}),I=N("div",{id:"follow-row",className:"row",role:"group","aria-label":"Follow"},y,N("label",{},w,"turn with it"),o("follow-stop","Stop","Stop following",()=>Fn(i,{follow:""}))),C=o("tool-mesh","At the mesh","Close to the teeth, along the axis, in parallel projection (M)",()=>s.atMesh());e.tools.append(_,M,I,N("div",{className:"row bar"},a(o("tool-fit","Fit","Everything, from where you look (F); the first view again: R",()=>s.fit()),...["x","y","z"].map(E=>o(`tool-${E}`,E,`Against the ${E} axis; once more: from the other side (${E.toUpperCase()})`,()=>s.side(E)))),a(o("tool-along","Along axis","Along the axis of the selected part, or of the first gear, in parallel projection (A)",()=>s.along()),C,l),a(c,h)));function L(E){_.hidden=!E,h.setAttribute("aria-expanded",String(E)),E&&f.box.focus()}_.addEventListener("keydown",E=>{E.key==="Escape"&&(E.stopPropagation(),L(!1),h.focus())}),addEventListener("pointerdown",E=>{!_.hidden&&!e.tools.contains(E.target)&&L(!1)});function k(){let{look:E}=t.state;c.setAttribute("aria-pressed",String(E.cut.on)),l.setAttribute("aria-pressed",String(E.follow!=="")),M.hidden=!E.cut.on,I.hidden=!E.follow,y.textContent=`With ${E.follow}`,w.checked=E.turning,b.value=E.cut.by,x.value=String(E.cut.place),f.box.checked=E.edges,d.box.checked=E.floor,p.box.checked=ka(E,i.block.head),v.box.checked=E.names,g.box.checked=E.parallel,m.value=E.frames,C.disabled=!i.block.head.pairs.length}t.on(["look","record"],k),k(),L(!1);let F={f:()=>s.fit(),r:()=>n.home(),x:()=>s.side("x"),y:()=>s.side("y"),z:()=>s.side("z"),a:()=>s.along(),m:()=>s.atMesh(),g:()=>Ch(i,t.state.look.follow||r()),c:()=>Ad(i),i:()=>bd(i,r()),h:()=>t.state.selected&&wd(i,t.state.selected),t:()=>Sd(i,r()),s:()=>Eh(i),p:()=>Fn(i,{parallel:!t.state.look.parallel}),n:()=>Fn(i,{names:!t.state.look.names}),e:()=>Fn(i,{edges:!t.state.look.edges}),j:()=>Fn(i,{joints:!ka(t.state.look,i.block.head)})};document.addEventListener("keydown",E=>{let z=E.target instanceof HTMLElement?E.target:document.body;if(!(E.defaultPrevented||E.ctrlKey||E.metaKey||E.altKey||E.shiftKey||document.querySelector("dialog[open]"))&&!z.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select")){if(E.key==="Escape")t.set({selected:""});else if(F[E.key])F[E.key]();else return;E.preventDefault()}})}var Rh=class extends Re{constructor(){super(new ys(2,2),new In({vertexShader:"varying float high; void main() { high = uv.y; gl_Position = vec4(position.xy, 1.0, 1.0); }",fragmentShader:"uniform vec3 above; uniform vec3 below; varying float high; void main() { gl_FragColor = vec4(mix(below, above, high), 1.0); }",uniforms:{above:{value:new Jt},below:{value:new Jt}},depthWrite:!1})),this.frustumCulled=!1,this.renderOrder=1e3}take(t){let{color:e,backgroundColor:n}=getComputedStyle(t),{uniforms:s}=this.material;s.above.value.copy(I0(e)),s.below.value.copy(I0(n))}};function I0(i){let[t=255,e=255,n=255]=i.match(/[\d.]+/g)?.map(Number)??[];return new Jt().setRGB(t/255,e/255,n/255,"srgb-linear")}var Ph=[-1,0,1].flatMap(i=>[-1,0,1].flatMap(t=>[-1,0,1].map(e=>new D(i,t,e)))).filter(i=>i.lengthSq()>0).map(i=>i.normalize()),Td=24,po=class{constructor(){this.best=new Float64Array(Ph.length).fill(-1/0),this.points=Ph.map(()=>new D)}add(t){for(let e=0;e<Ph.length;e++){let n=t.dot(Ph[e]);n>this.best[e]&&(this.best[e]=n,this.points[e].copy(t))}}all(){return this.points.filter((t,e)=>this.best[e]>-1/0&&this.points.findIndex(n=>n.equals(t))===e)}};function Va(i){let t=new po,e=new D;for(let n=0;n+2<i.length;n+=3)t.add(e.set(i[n],i[n+1],i[n+2]));return t.all()}function N0(i){let t=new po,e=new D;for(let n=0;n+2<i.length;n+=3)t.add(e.set(Math.hypot(i[n],i[n+1]),0,i[n+2]));return t.all().flatMap(({x:n,z:s})=>Array.from({length:Td},(r,o)=>new D(n*Math.cos(2*Math.PI*o/Td),n*Math.sin(2*Math.PI*o/Td),s)))}var J1=15e5,Ih=64;function L0(i,t,e){if(e.type==="turned"||e.type==="mesh")return K1(i,e);let n=tA(t,e),s=Va(n.attributes.position.array);return{geometry:n,matrices:[new Xt],lines:new fa(n,30),support:s,detail:D0(s)}}function K1(i,t){let e=i.float(t.position),n=t.type==="turned"?t.count:1,s=new ge;s.setAttribute("position",new ne(e,3)),s.setAttribute("normal",new ne(i.array(t.normal),3,!0)),s.setIndex(new ne(i.array(t.index),1));let r=Array.from({length:n},(h,u)=>new Xt().makeRotationZ(2*Math.PI*u/n)),o=n>2?N0(e):Va(e),a=n>2?2*Math.PI*Math.max(...o.map(h=>Math.hypot(h.x,h.y)))/n:D0(o),l=t.edge?i.float(t.edge):null,c=l&&l.length?new ge().setAttribute("position",new ne(Ed(l,r),3)):null;return n>1&&e.length/3*n<=J1?{geometry:j1(s,r),matrices:[new Xt],lines:c,support:o,detail:a}:{geometry:s,matrices:r,lines:c,support:o,detail:a}}function Ed(i,t){let e=new Float32Array(i.length*t.length),n=new D;return t.forEach((s,r)=>{for(let o=0;o<i.length;o+=3)n.set(i[o],i[o+1],i[o+2]).applyMatrix4(s).toArray(e,r*i.length+o)}),e}function j1(i,t){let{position:e,normal:n}=i.attributes,s=i.index.array,r=e.count,o=t.length,a=new Uint32Array(s.length*o);for(let u=0;u<o;u++)for(let f=0;f<s.length;f++)a[u*s.length+f]=s[f]+u*r;let l=Ed(e.array,t),c=Q1(e.array,t[1]);for(let u=0;u<o;u++)for(let[f,d]of c)l.copyWithin(3*((u+1)%o*r+d),3*(u*r+f),3*(u*r+f)+3);let h=Float32Array.from(n.array,u=>u/127);return new ge().setAttribute("position",new ne(l,3)).setAttribute("normal",new ne(Ed(h,t),3)).setIndex(new ne(a,1))}function Q1(i,t){let e=0;for(let l=0;l<i.length;l++)e=Math.max(e,Math.abs(i[l]));let n=1e-5*e||1,s=new D,r=(l,c,h)=>`${l},${c},${h}`,o=new Map;for(let l=0;l<i.length;l+=3){let c=r(Math.round(i[l]/n),Math.round(i[l+1]/n),Math.round(i[l+2]/n));o.set(c,[...o.get(c)??[],l/3])}let a=[];for(let l=0;l<i.length;l+=3){s.set(i[l],i[l+1],i[l+2]).applyMatrix4(t);let[c,h,u]=[s.x,s.y,s.z].map(f=>f/n);for(let f of new Set([Math.floor(c),Math.ceil(c)]))for(let d of new Set([Math.floor(h),Math.ceil(h)]))for(let p of new Set([Math.floor(u),Math.ceil(u)]))for(let v of o.get(r(f,d,p))??[])Math.hypot(i[3*v]-s.x,i[3*v+1]-s.y,i[3*v+2]-s.z)<.1*n&&a.push([v,l/3])}return a}function tA(i,t){let[e,n,s=0]=t.size??[],r=new D().fromArray(t.axis??[0,0,1]).normalize(),o=new fe().setFromUnitVectors(new D(0,1,0),r),a;if(t.type==="cylinder")a=s>0?eA(e,n,s):new xs(e,e,n,Ih);else if(t.type==="cone")a=new xs(n,e,s,Ih);else if(t.type==="capsule")a=new ua(e,n,12,Ih);else if(t.type==="sphere")a=new pa(e,48,24);else if(t.type==="box"){a=new Vs(e,n,s);let[l,c,h]=(t.axes??[[1,0,0],[0,1,0],[0,0,1]]).map(u=>new D().fromArray(u));o.setFromRotationMatrix(new Xt().makeBasis(l,c,h))}else throw new Error(`The shape "${i}" has the type "${t.type}", which this page does not support. Write the page again with the same version of pitchline.`);return a.applyMatrix4(new Xt().compose(new D().fromArray(t.at??[0,0,0]),o,new D(1,1,1)))}function eA(i,t,e){let n=t/2,s=[[e,-n],[i,-n],[i,n],[e,n],[e,-n]],r=s.slice(1).map((f,d)=>new da([new ce(...s[d]),new ce(...f)],Ih)),o=r.map(f=>f.attributes.position.count),a=o.reduce((f,d)=>f+d,0),l=new Float32Array(3*a),c=new Float32Array(3*a),h=[],u=0;for(let f of r){l.set(f.attributes.position.array,3*u),c.set(f.attributes.normal.array,3*u);for(let d of f.index.array)h.push(d+u);u+=f.attributes.position.count}return new ge().setAttribute("position",new ne(l,3)).setAttribute("normal",new ne(c,3)).setIndex(h)}function D0(i){let t=new D(1/0,1/0,1/0),e=t.clone().negate();for(let n of i)t.min(n),e.max(n);return i.length?e.sub(t).length():0}var F0=["#5f9fcb","#e9c26a","#6bbfa3","#d79dbd","#93cdec","#de9a6a","#9a9a9a"];function Nd(i,t){let e=i.head.bodies[t].colour;return e&&CSS.supports("color",e)?e:F0[t%F0.length]}var nA=new Jt("#1f6feb"),iA=new Xt,sA=.22,rA=2e3,Nh=class{constructor(t,e){this.block=t,this.root=new Ie,this.shapes=new Map,this.all=t.head.bodies.map((n,s)=>this.body(n,Nd(t,s),e)),this.parts=this.all.flatMap(n=>n.parts),this.byName=new Map(this.all.map(n=>[n.name,n]))}body(t,e,n){let{block:s}=this,r=new Ie,o={name:t.name,group:r,colour:e,said:t,parts:[],support:[]};t.place&&t.turn&&Object.assign(o,{place:s.float(t.place),turn:s.float(t.turn)}),t.spin&&(o.spin=s.float(t.spin));for(let a of t.parts){let l=this.part(o,a,n);o.parts.push(l),o.support.push(...l.shape.support.map(c=>c.clone().applyMatrix4(l.holder.matrix))),r.add(l.holder)}return o.support.length>rA&&(o.support=Va(o.support.flatMap(a=>a.toArray()))),this.root.add(r),o}part(t,e,n){let s=this.shapes.get(e.shape)??L0(this.block,e.shape,this.block.head.shapes[e.shape]);this.shapes.set(e.shape,s);let r=e.opacity??(e.kind==="stand-in"?.45:1),o=new qs(n,{color:e.colour&&CSS.supports("color",e.colour)?e.colour:t.colour,opacity:r}),a=new bh(n),l=new Ie,c=e.rotation,h=e.position;l.matrixAutoUpdate=!1,l.matrix.set(c[0][0],c[0][1],c[0][2],h[0],c[1][0],c[1][1],c[1][2],h[1],c[2][0],c[2][1],c[2][2],h[2],0,0,0,1);let u=s.matrices.length>1?new ui(s.geometry,o,s.matrices.length):new Re(s.geometry,o);u instanceof ui&&s.matrices.forEach((p,v)=>u.setMatrixAt(v,p));let f=s.lines?new Qn(s.lines,a):null;l.add(u,...f?[f]:[]);let d={name:e.name??t.name,body:t,said:e,holder:l,mesh:u,lines:f,material:o,edges:a,shape:s,opacity:r};return u.userData.part=d,d}show(t){let{i:e,f:n}=Ke(this.block.time,t);for(let s of this.all)Id(s,e,n,s.group);this.root.updateMatrixWorld(!0)}pose(t,e){let{i:n,f:s}=Ke(this.block.time,e),r={position:new D,quaternion:new fe};return Id(t,n,s,r),new Xt().compose(r.position,r.quaternion,new D(1,1,1))}reached(t=()=>!0){let{time:e,head:n}=this.block,s=new po,r=new D,o=this.all.filter(t),a=Math.min(Math.max(e.length,1),o.length>200?9:41),l=n.springs.flatMap(({a:c,b:h})=>[c,h]).map(({body:c,position:h})=>({body:this.byName.get(c),position:h}));for(let c=0;c<a;c++){let h=a>1?Math.round(c/(a-1)*(e.length-1)):0;for(let u of o){if(c&&(!u.place||u.place.length===3))continue;let f={position:new D,quaternion:new fe};Id(u,h,0,f);for(let d of u.support)s.add(r.copy(d).applyQuaternion(f.quaternion).add(f.position))}for(let{body:u,position:f}of l)(u?t(u):c===0)&&s.add(r.fromArray(f).applyMatrix4(u?this.pose(u,e[h]):iA))}return s.all()}mark({hidden:t,clear:e,selected:n,over:s}){for(let r of this.all){r.group.visible=!t.has(r.name);for(let o of r.parts){let a=o.name;o.holder.visible=!t.has(a),o.material.fade(e.has(r.name)||e.has(a)?Math.min(sA,o.opacity):o.opacity);let l=n!==""&&(n===r.name||n===a);o.material.emissive.copy(nA).multiplyScalar(l?.3:s===o?.14:0),o.edges.color.set(l?"#0b3d91":"#1d2329")}}}fadeEdges(t,e,n){let s=new D,r=t.back(),o=Math.tan(t.fov*Math.PI/360);for(let{holder:a,lines:l,edges:c,shape:h,material:u}of this.parts){if(!l)continue;let f=t.parallel?t.distance:Math.max(s.setFromMatrixPosition(a.matrixWorld).sub(t.position).dot(r)*-1,.2*t.distance),d=h.detail*e/(2*o*f),p=n?Math.min(Math.max((d-5)/14,0),1):0;c.uniforms.opacity.value=.55*p*(u.opacity<.5?.6:1),l.visible=p>.02}}},Cd=new fe,Rd=new fe,Pd=new D;function Id({place:i,turn:t,spin:e},n,s,r){if(!i||!t)return;let o=i.length/3-1,a=Math.min(n,o),l=Math.min(n+1,o);r.position.set(i[3*a]+(i[3*l]-i[3*a])*s,i[3*a+1]+(i[3*l+1]-i[3*a+1])*s,i[3*a+2]+(i[3*l+2]-i[3*a+2])*s);let c=Math.min(n,t.length/4-1),h=Math.min(n+1,t.length/4-1);if(Cd.set(t[4*c+1],t[4*c+2],t[4*c+3],t[4*c]),e&&c!==h){Pd.set(e[3*c],e[3*c+1],e[3*c+2]).multiplyScalar(s);let u=Pd.length();r.quaternion.copy(Cd),u>0&&r.quaternion.multiply(Rd.setFromAxisAngle(Pd.divideScalar(u),u));return}Rd.set(t[4*h+1],t[4*h+2],t[4*h+3],t[4*h]),r.quaternion.slerpQuaternions(Cd,Rd,s)}var U0=.0075,Lh=.12,O0=4,Dh=class{constructor(t){this.world=t,this.held=new Map,this.moved=0;let{canvas:e}=t;e.addEventListener("pointerdown",n=>this.down(n)),e.addEventListener("pointermove",n=>this.move(n)),e.addEventListener("pointerup",n=>this.up(n)),e.addEventListener("pointercancel",n=>this.up(n)),e.addEventListener("contextmenu",n=>n.preventDefault()),e.addEventListener("wheel",n=>{if(ul())return;n.preventDefault();let s=n.deltaMode===1?18:n.deltaMode===2?400:1;this.zoom(Math.exp(Math.max(Math.min(n.deltaY*s,300),-300)*.0016),...this.place(n))},{passive:!1}),e.addEventListener("keydown",n=>this.key(n))}get clicked(){return this.moved<O0}get target(){return this.world.eye.target}place({offsetX:t,offsetY:e}){let{clientWidth:n,clientHeight:s}=this.world.canvas;return[2*t/n-1,1-2*e/s]}down(t){this.held.size||(this.moved=0),this.held.set(t.pointerId,{x:t.offsetX,y:t.offsetY}),this.world.canvas.setPointerCapture(t.pointerId),this.world.busy.has("travel")&&this.world.views.arrive()}move(t){let e=this.held.get(t.pointerId);if(!e)return;let n=t.offsetX-e.x,s=t.offsetY-e.y;if(this.moved+=Math.hypot(n,s),!(this.moved<O0)){if(this.world.busy.add("hand"),this.held.size>1){let r=[...this.held].find(([o])=>o!==t.pointerId)?.[1];if(r){let o=Math.hypot(e.x-r.x,e.y-r.y),a=Math.hypot(t.offsetX-r.x,t.offsetY-r.y);o>0&&a>0&&this.zoom(o/a,...this.place({offsetX:(t.offsetX+r.x)/2,offsetY:(t.offsetY+r.y)/2})),this.pan(n/2,s/2)}}else t.buttons&6||t.shiftKey||t.ctrlKey?this.pan(n,s):this.turn(n*U0,s*U0);this.held.set(t.pointerId,{x:t.offsetX,y:t.offsetY})}}up(t){this.held.delete(t.pointerId),!(this.held.size||!this.world.busy.delete("hand"))&&this.world.app.redraw()}turn(t,e){let{eye:n}=this.world,{turn:s}=n.stand(),r=n.up;s.premultiply(new fe().setFromAxisAngle(r,-t));let o=s.clone().multiply(new fe().setFromAxisAngle(new D(1,0,0),-e)),a=l=>new D(0,1,0).applyQuaternion(l).dot(r);if(a(s)>-1e-6&&a(o)<-1e-6){let l=new D(0,0,1).applyQuaternion(s),c=new D(0,1,0).applyQuaternion(s),h=Math.atan2(c.dot(r),Math.abs(l.dot(r)))*Math.sign(e);s.multiply(new fe().setFromAxisAngle(new D(1,0,0),-h))}else s.copy(o);n.front=null,n.place({turn:s}),this.world.untouched=!1,this.world.app.redraw()}pan(t,e){let{eye:n,canvas:s}=this.world,r=2*n.half()/s.clientHeight;this.world.untouched=!1,n.place({target:new D(-t*r,e*r,0).applyQuaternion(n.quaternion).add(n.target)}),this.world.app.redraw()}zoom(t,e,n){let{eye:s,loaded:r}=this.world,o=Math.min(Math.max(s.distance*t,1e-4*r.size),60*r.size),a=s.inPlane(e,n);this.world.untouched=!1,s.place({target:s.target.clone().sub(a).multiplyScalar(o/s.distance).add(a),distance:o}),this.world.app.redraw()}key(t){let e={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,-1],ArrowDown:[0,1]}[t.key];if(e&&t.ctrlKey){let[n,s]=e,{clientHeight:r}=this.world.canvas;t.shiftKey?this.pan(-n*Lh*r,-s*Lh*r):this.turn(n*Lh,s*Lh)}else if(t.key==="PageUp")this.zoom(1/1.2,0,0);else if(t.key==="PageDown")this.zoom(1.2,0,0);else return;t.preventDefault(),t.stopPropagation()}};var Fh=class extends qn{constructor(){super(26,1,.001,100),this.up.set(0,0,1),this.parallel=!1,this.target=new D,this.distance=1,this.front=null,this.reach=new hi(new D,1),this.foot=0,this.shift={x:0,y:0,width:1,height:1}}stand(){return{target:this.target.clone(),turn:this.quaternion.clone(),distance:this.distance}}place({target:t=this.target,turn:e=this.quaternion,distance:n=this.distance}){this.target.copy(t),this.quaternion.copy(e).normalize(),this.distance=n,this.position.set(0,0,n).applyQuaternion(this.quaternion).add(this.target);let s=-new D().copy(this.reach.center).sub(this.position).dot(this.back()),{radius:r}=this.reach;this.far=Math.max(s+r,n)*1.01,this.near=this.parallel?this.front===null?s-1.01*r:n-this.front:Math.max(s-1.01*r,.02*n,1e-5*this.far),this.updateMatrixWorld(),this.updateProjectionMatrix()}back(){return new D(0,0,1).applyQuaternion(this.quaternion)}half(){return this.distance*Math.tan(this.fov*Math.PI/360)}updateProjectionMatrix(){let{shift:t}=this;if(!this.parallel)super.updateProjectionMatrix();else{let e=this.half(),n=e*this.aspect;this.projectionMatrix.makeOrthographic(-n,n,e,-e,this.near,this.far,this.coordinateSystem)}t&&(t.x||t.y)&&this.projectionMatrix.premultiply(new Xt().makeTranslation(2*t.x/t.width,2*t.y/t.height,0)),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}ray(t,e){let n=new D(t,e,-1).unproject(this);return new zs(n,new D(t,e,1).unproject(this).sub(n).normalize())}inPlane(t,e){let n=this.half();return new D(t*n*this.aspect,e*n,0).applyQuaternion(this.quaternion).add(this.target)}fitted(t,e,n=1.08){let s=e.clone().invert(),r=t.map(m=>m.clone().applyQuaternion(s));if(!r.length)return{target:new D,turn:e.clone(),distance:1};let o=Math.tan(this.fov*Math.PI/360)/n,a=o*this.aspect,l=(Math.max(...r.map(m=>m.z))+Math.min(...r.map(m=>m.z)))/2,c=(m,_,b)=>Math.max(...r.map(x=>_*x[m]+(this.parallel?0:(x.z-l)*b))),h=o*(1-2*this.foot),u=c("x",1,a),f=c("x",-1,a),d=c("y",1,o),p=c("y",-1,h),v=Math.max((u+f)/(2*a),(d+p)/(o+h))||1;return{target:new D((u-f)/2,(d-o*v+h*v-p)/2,l).applyQuaternion(e),turn:e.clone(),distance:v}}};function Ga(i,t=new D(0,0,1)){let e=i.clone().normalize(),n=Math.abs(e.dot(t.clone().normalize()))>.9999?new D(0,Math.abs(e.y)>.9?0:1,Math.abs(e.y)>.9?1:0):t;return new fe().setFromRotationMatrix(new Xt().lookAt(e,new D,n))}var oA=new Set(["gear","shaft","bearing","coupling"]),aA=.75,lA=.45,cA=[.55,-.75,.5],hA=[.92,-.34,.3],uA=[.55,-.75,.6];function k0(i,t,e){let n=fA(t)??dA(e),s=!n||Ld(e,n)<aA*Math.max(...fr(n).map(g=>Ld(e,g))),r=new D().fromArray(i.gravity??[0,0,0]),o=r.lengthSq()?r.negate().normalize():n&&Math.abs(n.z)>.9&&!s?new D(0,1,0):new D(0,0,1),a=n&&Math.abs(n.dot(o))<.3,l=a?n.clone().addScaledVector(o,-n.dot(o)).normalize():fr(o)[0],c=o.clone().cross(l),[h,u,f]=a?s?hA:cA:uA,d=pA(i,t),p=(g,m)=>l.clone().multiplyScalar(g*h).addScaledVector(c,m*u).addScaledVector(o,f);return{back:[p(1,1),p(-1,1),p(1,-1),p(-1,-1)].reduce((g,m)=>d.dot(m)>d.dot(g)+1e-6?m:g).normalize(),up:o}}function fr(i){let[t,e,n]=[i.x,i.y,i.z].map(Math.abs),s=n>=t&&n>=e?new D(1,0,0):e>=t?new D(0,0,1):new D(0,1,0);return s.addScaledVector(i,-s.dot(i)).normalize(),[s,i.clone().cross(s)]}function Ld(i,t){let e=i.map(n=>n.dot(t));return e.length?Math.max(...e)-Math.min(...e):0}function fA(i){let t=i.parts.filter(({said:e})=>oA.has(e.kind)).map(Uh);for(let e of t.slice(0,8)){if(t.filter(a=>Math.abs(a.dot(e))>.98).length<.8*t.length)continue;let[n,s,r]=e.toArray().map(Math.abs),o=r>=n&&r>=s?e.z:s>=n?e.y:e.x;return e.multiplyScalar(Math.sign(o))}return null}function dA(i){let t=[new D(0,0,1),new D(0,1,0),new D(1,0,0)],[e,n,s]=t.map(r=>Ld(i,r));return t[[e,n,s].findIndex((r,o,a)=>a.every((l,c)=>c===o||r<lA*l))]??null}function pA(i,t){let e=0,n=new D,s=new Map(t.parts.filter(({said:o})=>o.kind==="gear").map(o=>[o.name,o])),r=o=>Math.max(0,...o.shape.support.map(a=>Math.hypot(a.x,a.y)));for(let{wheel_a:o,wheel_b:a}of i.pairs){let l=[s.get(o),s.get(a)];if(!l[0]||!l[1]||Math.abs(Uh(l[0]).dot(Uh(l[1])))>.9)continue;e+=1;let[c,h]=r(l[0])>r(l[1])?[l[1],l[0]]:[l[0],l[1]],u=Uh(h),f=p=>p.shape.support.reduce((v,g)=>v.add(g),new D).divideScalar(p.shape.support.length||1).applyMatrix4(p.holder.matrixWorld),d=f(c).sub(f(h)).dot(u);Math.abs(d)>.2*r(c)&&n.addScaledVector(u,Math.sign(d))}return 2*e>=i.pairs.length?n:n.set(0,0,0)}function Uh({holder:i}){return new D(0,0,1).transformDirection(i.matrixWorld)}var Bh=["#d62f2f","#2c8a3d","#2f6fd6"],Oh=class{constructor(t,e){this.bodies=t,this.size=e,this.root=new Ie,this.material=new Di({vertexColors:!0,depthTest:!1,transparent:!0}),this.geometry=new ge().setAttribute("position",new ne(new Float32Array([0,0,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0,1]),3)).setAttribute("color",new ne(new Float32Array(Bh.flatMap(n=>[...new Jt(n).toArray(),...new Jt(n).toArray()])),3)),this.drawn=new Map}mark(t,e,n){for(let s of this.drawn.values())s.visible=!1;if(t!=="none"){for(let s of t==="all"?this.bodies.all:this.bodies.all.filter(r=>r.name===e)){if(n.has(s.name))continue;let r=this.drawn.get(s.name);if(!r){r=new Qn(this.geometry,this.material),r.renderOrder=3,r.matrixAutoUpdate=!1;let o=Math.max(0,...s.support.map(a=>a.length()));r.userData.length=o?1.15*o:.05*this.size,this.drawn.set(s.name,r),this.root.add(r)}r.visible=!0}this.show()}}show(){for(let[t,e]of this.drawn){let n=this.bodies.byName.get(t);if(!e.visible||!n)continue;let{length:s}=e.userData;n.group.updateMatrix(),e.matrix.copy(n.group.matrix).scale(e.scale.setScalar(s)),e.matrixWorldNeedsUpdate=!0}}},kh=class{constructor(t,e){let n=new Xt().makeBasis(...fr(e),e),s=n.clone().transpose(),r=new jn().setFromPoints(t.map(d=>d.clone().applyMatrix4(s))),o=r.isEmpty()?1:Math.max(r.max.x-r.min.x,r.max.y-r.min.y,1e-6),a=10**Math.floor(Math.log10(o/8));this.square=a*([1,2,5,10].find(d=>d*a>=o/8)??10);let l=Math.ceil(.9*o/this.square),c=r.isEmpty()?0:r.min.z,h=[],[u,f]=r.isEmpty()?[0,0]:[(r.min.x+r.max.x)/2,(r.min.y+r.max.y)/2].map(d=>Math.round(d/this.square)*this.square);for(let d=-l;d<=l;d++){let p=this.square*d,v=this.square*l;h.push(u+p,f-v,c,u+p,f+v,c,u-v,f+p,c,u+v,f+p,c)}this.root=new Qn(new ge().setAttribute("position",new ne(new Float32Array(h),3)),new Di({color:"#808a94",transparent:!0,opacity:.28,depthWrite:!1})),this.root.applyMatrix4(n),this.root.visible=!1}};var B0="#c2410c",mA="#1f6feb",zh=class{constructor(t,e,n){this.root=new Ie,this.all=t.head.joints.map(s=>{let r=new Qn(gA(s.kind),new Di({color:B0,depthTest:!1,transparent:!0,opacity:.7}));r.renderOrder=2,r.position.fromArray(s.position),r.quaternion.setFromUnitVectors(new D(0,0,1),new D().fromArray(s.axis).normalize()),r.scale.setScalar(s.size||.03*n);let o=new Ie;return o.add(r),this.root.add(o),{said:s,symbol:r,holder:o,body:e.byName.get(s.body),other:e.byName.get(s.other)}})}show(){let t=new D;for(let{holder:e,body:n}of this.all)n&&n.group.matrix.decompose(e.position,e.quaternion,t)}mark({hidden:t,selected:e},n){for(let{said:s,symbol:r,holder:o,body:a,other:l}of this.all){let c=[a,l].every(h=>!h||t.has(h.name)||!h.parts.length)&&[a,l].some(h=>h&&t.has(h.name));o.visible=s.name===e||n&&!t.has(s.name)&&!c,r.material.color.set(s.name===e?mA:B0)}}};function gA(i){let t=[],e=(l,c)=>t.push(new D(...l),new D(...c)),n=(l,c)=>{let h=u=>c(l*Math.cos(u*Math.PI/12),l*Math.sin(u*Math.PI/12));for(let u=0;u<24;u++)e(h(u),h(u+1))},s=l=>(c,h)=>[c,h,l],r=(l,c)=>[[1,1],[-1,1],[-1,-1],[1,-1]].forEach(([h,u],f,d)=>e([l*h,l*u,c],[l*d[(f+1)%4][0],l*d[(f+1)%4][1],c])),o=/revol|cylind|screw|hinge/.test(i),a=/prism|slid|cylind|transl|screw/.test(i);if(/spher|ball/.test(i))n(.6,s(0)),n(.6,(l,c)=>[l,0,c]),n(.6,(l,c)=>[0,l,c]);else if(/univ|cardan/.test(i))n(.6,(l,c)=>[l,0,c]),n(.6,(l,c)=>[0,l,c]),e([-1,0,0],[1,0,0]),e([0,-1,0],[0,1,0]);else if(/fix|weld|rigid/.test(i)){r(.3,-.3),r(.3,.3);for(let[l,c]of[[1,1],[-1,1],[-1,-1],[1,-1]])e([.3*l,.3*c,-.3],[.3*l,.3*c,.3])}else{if(e([0,0,-1.2],[0,0,1.2]),o)for(let l of[-.35,.35])n(.6,s(l));if(a){for(let l of[-.6,.6])r(.4,l);for(let l of[-1,1])for(let c of[-.15,.15])e([0,0,1.2*l],[c,0,.95*l])}/plan/.test(i)&&r(.8,0),!o&&!a&&!/plan/.test(i)&&(e([-.6,0,0],[.6,0,0]),e([0,-.6,0],[0,.6,0]))}return new ge().setFromPoints(t)}var xA=120,Vh=class{constructor(t){this.world=t,this.root=N("div",{id:"labels","aria-hidden":"true"}),this.tip=N("div",{id:"tip",role:"tooltip",hidden:!0}),this.spare=[],t.app.regions.view.append(this.root,this.tip)}draw(){let{eye:t,loaded:e,app:n,canvas:s}=this.world,{look:r,hidden:o}=n.store.state,a=[];if(r.names){let{clientWidth:l,clientHeight:c}=s,h=new D,u=[];for(let f of e.bodies.all){if(o.has(f.name)||!f.parts.length||a.length>=xA||(f.support.reduce((g,m)=>g.add(m),h.set(0,0,0)).divideScalar(f.support.length).applyMatrix4(f.group.matrixWorld).project(t),!(Math.abs(h.x)<1&&Math.abs(h.y)<1&&Math.abs(h.z)<1)))continue;let d=(h.x+1)/2*l,p=(1-h.y)/2*c,v=7*f.name.length+14;u.some(g=>Math.abs(g.x-d)<(g.wide+v)/2&&Math.abs(g.y-p)<20)||(u.push({x:d,y:p,wide:v}),a.push({name:f.name,x:d,y:p}))}}for(;this.spare.length<a.length;){let l=N("span",{});this.spare.push(l),this.root.append(l)}this.spare.forEach((l,c)=>{let h=a[c];l.hidden=!h,h&&(l.textContent=h.name,l.style.transform=`translate(${h.x.toFixed(1)}px, ${h.y.toFixed(1)}px) translate(-50%, -50%)`)})}say(t,e,n){if(this.tip.hidden=!t,!t)return;this.tip.textContent=t;let s=Math.min(e+14,this.world.canvas.clientWidth-this.tip.offsetWidth-4),r=Math.min(n+16,this.world.canvas.clientHeight-this.tip.offsetHeight-4);this.tip.style.transform=`translate(${Math.max(s,4)}px, ${Math.max(r,4)}px)`}};var yA=7;function z0(i){let t=N("div",{id:"arrow-tip",role:"tooltip",hidden:!0});i.regions.view.append(t);let{canvas:e}=i.regions;e.addEventListener("pointermove",n=>{let s=e.getBoundingClientRect(),r=n.clientX-s.left,o=n.clientY-s.top,a=n.buttons?null:Dd(i,r,o,s.width,s.height);if(t.hidden=a===null,!a)return;let{said:l,vector:c}=a;t.replaceChildren(N("b",{},l.name),N("br"),`${ho(c.length(),l.unit)} on ${l.on}`,N("br"),N("span",{className:"faint"},l.text)),t.style.left=`${Math.min(r+14,s.width-230)}px`,t.style.top=`${Math.min(o+14,s.height-70)}px`}),e.addEventListener("pointerleave",()=>{t.hidden=!0})}function Dd(i,t,e,n,s){let{camera:r,loaded:o}=i.world,a=o.bodies.root.matrixWorld,l=u=>{let f=u.clone().applyMatrix4(a).project(r);return[(.5+.5*f.x)*n,(.5-.5*f.y)*s]},c=null,h=yA;for(let u of i.effects.arrows.all){if(!u.shown)continue;let[f,d]=l(u.point),[p,v]=l(u.tip),g=p-f,m=v-d,_=g*g+m*m,b=_>0?Math.min(1,Math.max(0,((t-f)*g+(e-d)*m)/_)):0,x=Math.hypot(t-f-b*g,e-d-b*m);x<h&&([c,h]=[u,x])}return c}var Fd=null;function mo(i,t,e,n,s){Fd?.();let r=za(i,t);if(!r.length)return;let o=r.map(({id:h,text:u,key:f,on:d,run:p})=>N("button",{type:"button",role:"menuitemcheckbox","aria-checked":String(d),"data-action":h,tabIndex:-1,onclick:()=>{c(),p()}},N("span",{},u),N("kbd",{},f))),a=N("div",{id:"menu",role:"menu","aria-label":t},N("b",{},t),...o);document.body.append(a),a.style.left=`${Math.max(4,Math.min(e,innerWidth-a.offsetWidth-4))}px`,a.style.top=`${Math.max(4,Math.min(n,innerHeight-a.offsetHeight-4))}px`;let l=h=>{a.contains(h.target)||c()};function c(){a.remove(),removeEventListener("pointerdown",l,!0),Fd=null,s.focus({preventScroll:!0})}addEventListener("pointerdown",l,!0),a.addEventListener("keydown",h=>{let u=o.indexOf(document.activeElement),f=o.length;if(h.key==="ArrowDown")o[(u+1)%f].focus();else if(h.key==="ArrowUp")o[(u+f-1)%f].focus();else if(h.key==="Home")o[0].focus();else if(h.key==="End")o[f-1].focus();else if(h.key==="Escape"||h.key==="Tab")c();else if(h.key!=="Enter"&&h.key!==" ")return;h.stopPropagation(),h.key!=="Enter"&&h.key!==" "&&h.preventDefault()}),Fd=c,o[0].focus()}var _A=9,Gh=class{constructor(t){this.world=t,this.caster=new ya,this.over=null,this.asked=!1;let{canvas:e,app:n}=t;e.addEventListener("pointermove",s=>{s.pointerType==="touch"||this.asked||t.controls.held.size||(this.asked=!0,requestAnimationFrame(()=>{this.asked=!1;let{playing:r}=n.store.state;this.hover(r?null:this.at(s.offsetX,s.offsetY),s.offsetX,s.offsetY)}))}),e.addEventListener("pointerleave",()=>this.hover(null,0,0)),e.addEventListener("click",s=>{s.button===0&&t.controls.clicked&&this.select(this.at(s.offsetX,s.offsetY))}),e.addEventListener("pointerup",s=>{let r=s.button===2&&t.controls.clicked&&this.at(s.offsetX,s.offsetY);r&&mo(n,r.name,s.clientX,s.clientY,e)}),e.addEventListener("dblclick",s=>{let r=this.at(s.offsetX,s.offsetY);r?t.views.zoomTo(r.part?.body.name??r.name):t.views.fit()})}select(t){let{store:e}=this.world.app,{part:n}=t??{};n&&e.state.selected===n.body.name&&n.name!==n.body.name?e.set({selected:n.name}):e.set({selected:t?.name??""})}hover(t,e,n){let{world:s}=this;s.labels.say(t?.text??"",e,n),!(this.over?.name===t?.name&&this.over?.part===t?.part)&&(this.over=t,s.canvas.classList.toggle("pointing",!!t),s.mark())}at(t,e){return this.symbol(t,e)??this.solid(t,e)}symbol(t,e){let{eye:n,loaded:s,canvas:r}=this.world,{clientWidth:o,clientHeight:a}=r,l=new D,c=v=>new ce((v.project(n).x+1)/2*o,(1-v.y)/2*a),h=null,u=_A,f=(v,g)=>{v<u&&([u,h]=[v,g])},d=new ce(t,e);for(let{said:v,symbol:g,holder:m}of s.joints.all)m.visible&&f(c(l.setFromMatrixPosition(g.matrixWorld)).distanceTo(d),{name:v.name,part:null,text:`${v.name} (${v.kind})`});if(h)return h;let p=Dd(this.world.app,t,e,o,a);return p&&{name:p.said.of,part:null,text:""}}solid(t,e){let{world:n}=this,{eye:s,loaded:r,canvas:o}=n;this.caster.ray.copy(s.ray(2*t/o.clientWidth-1,1-2*e/o.clientHeight));let a=r.bodies.parts.filter(({body:p,holder:v})=>p.group.visible&&v.visible).map(({mesh:p})=>p),l=[...r.springs.all,...r.sheets.all].filter(({mesh:p})=>p.visible),c=this.caster.intersectObjects([...a,...l.map(({mesh:p})=>p)],!1).filter(({point:p})=>!C0(n,p)),h=c.find(({object:p})=>p.material.opacity>=1)??c[0];if(!h)return null;let u=l.find(({mesh:p})=>p===h.object);if(u)return{name:u.said.name,part:null,text:u.said.name};let f=h.object.userData.part,d=f.name===f.body.name?f.name:`${f.body.name}: ${f.name}`;return{name:f.body.name,part:f,text:f.said.note?`${d} (${f.said.note})`:d}}};var Hh=class{constructor(t,e,n){this.places=e,this.root=new Ie,this.all=(t.head.sheets??[]).map(s=>{let r=s.corners.length,o=s.triangles.flat();if(o.some(c=>!(c>=0&&c<r)))throw new Error(`The surface of "${s.name}" is damaged. Write the view again.`);let a=new ge().setIndex(o);for(let c of["position","normal"])a.setAttribute(c,new ne(new Float32Array(3*r),3));let l=new Re(a,new qs(n,{color:s.colour??"#8fa3b5",bothSides:!0}));return l.frustumCulled=!1,this.root.add(l),{said:s,mesh:l}})}show(){if(!this.all.length)return;let t=this.places.root.matrixWorld.clone().invert();for(let{said:e,mesh:n}of this.all){let s=n.geometry.attributes.position;e.corners.forEach(({body:r,position:o},a)=>this.places.at(r,o).applyMatrix4(t).toArray(s.array,3*a)),s.needsUpdate=!0,n.geometry.computeVertexNormals(),n.geometry.boundingSphere=n.geometry.boundingBox=null}}mark({hidden:t,clear:e,selected:n}){for(let{said:s,mesh:r}of this.all)r.visible=!t.has(s.name)&&!s.corners.every(({body:o})=>t.has(o)),r.material.fade(e.has(s.name)?.25:1),r.material.emissive.set(n===s.name?"#16407f":"#000000")}};var Wh=16,es=8,Xh=class{constructor(t,e,n,s){this.places=e,this.root=new Ie,this.all=t.head.springs.map(r=>{let o=Math.max(this.ends(r).length,1e-9),a=r.radius||Math.min(.12*o,.03*s)||.01*s,l=new Re(vA(r.kind,o,a,r.damped??!1),new qs(n,{color:"#7d8791"}));return l.frustumCulled=!1,this.root.add(l),{said:r,mesh:l,length:o}})}ends({a:t,b:e}){let n=this.places.root.matrixWorld.clone().invert(),s=this.places.at(t.body,t.position).applyMatrix4(n),r=this.places.at(e.body,e.position).applyMatrix4(n).sub(s);return{from:s,along:r,length:r.length()}}show(){for(let{said:t,mesh:e,length:n}of this.all){let{from:s,along:r,length:o}=this.ends(t);e.position.copy(s),e.quaternion.copy(o>0?new fe().setFromUnitVectors(new D(0,0,1),r.divideScalar(o)):new fe),e.scale.set(1,1,Math.max(o/n,.001))}}mark({hidden:t,clear:e,selected:n}){for(let{said:s,mesh:r}of this.all)r.visible=!t.has(s.name)&&!(t.has(s.a.body)&&t.has(s.b.body)),r.material.fade(e.has(s.name)?.25:1),r.material.emissive.set(n===s.name?"#16407f":"#000000")}};function vA(i,t,e,n){let s=.22*e;return i==="string"?qh([[.3*s,0],[.3*s,t]]):i==="rod"?qh([[0,0],[e,0],[e,t],[0,t]]):i==="damper"?V0(t,e):n?H0(G0(t,e),V0(t,.62*e)):G0(t,e)}function V0(i,t){let e=.22*t,n=.82*t,s=.3*i,r=.33*i,o=.68*i,a=qh([[e,0],[e,s],[t,s],[t,o],[n,o],[n,r],[0,r]]),l=qh([[0,.46*i],[.7*t,.46*i],[.7*t,.52*i],[e,.52*i],[e,i]]);return H0(a,l)}function H0(i,t){let e=i.attributes.position.count,n=new ge;for(let r of["position","normal"])n.setAttribute(r,new ne(Float32Array.from([...i.attributes[r].array,...t.attributes[r].array]),3));let s=r=>Array.from(r.index?.array??[]);return n.setIndex([...s(i),...s(t).map(r=>r+e)])}function qh(i){let t=[],e=[],n=[];return i.slice(1).forEach(([s,r],o)=>{let[a,l]=i[o],c=t.length/3,h=Math.hypot(r-l,s-a)||1;for(let u=0;u<=Wh;u++){let f=2*Math.PI*u/Wh,d=Math.cos(f),p=Math.sin(f),v=(r-l)/h,g=(a-s)/h;t.push(a*d,a*p,l,s*d,s*p,r),e.push(v*d,v*p,g,v*d,v*p,g);let m=c+2*u;u<Wh&&n.push(m,m+2,m+3,m,m+3,m+1)}}),new ge().setAttribute("position",new ne(new Float32Array(t),3)).setAttribute("normal",new ne(new Float32Array(e),3)).setIndex(n)}function G0(i,t){let e=Math.min(.12,1.2*t/i),n=Math.min(Math.max(Math.round((1-2*e)*i/(1.2*t)),4),24),s=(n+2)*Wh,r=.16*t,o=new D,a=new D,l=new D,c=new D,h=new Float32Array(3*(s+1)*es),u=new Float32Array(h.length),f=[],d=p=>{let v=Math.min(Math.max((p-e)/(1-2*e),0),1),g=Math.min(p/e,(1-p)/e,1),m=2*Math.PI*n*v;return new D(g*t*Math.cos(m),g*t*Math.sin(m),i*p)};for(let p=0;p<=s;p++){let v=p/s;o.copy(d(v)),a.copy(d(Math.min(v+1e-4,1))).sub(d(Math.max(v-1e-4,0))).normalize(),l.set(o.x,o.y,0),l.lengthSq()<1e-12*t*t&&l.set(1,0,0),l.addScaledVector(a,-l.dot(a)).normalize(),c.crossVectors(a,l);for(let g=0;g<es;g++){let m=2*Math.PI*g/es,_=l.clone().multiplyScalar(Math.cos(m)).addScaledVector(c,Math.sin(m)),b=3*(p*es+g);if(_.toArray(u,b),_.multiplyScalar(r).add(o).toArray(h,b),p<s){let x=p*es+g,S=p*es+(g+1)%es;f.push(x,S,S+es,x,S+es,x+es)}}}return new ge().setAttribute("position",new ne(h,3)).setAttribute("normal",new ne(u,3)).setIndex(f)}var MA=160,$h=[[1,-3],[-1,3],[5,1],[-3,-5],[-5,5],[-7,-1],[3,7],[7,-7]].map(([i,t])=>[i/16,t/16]),Yh=class{constructor(t){this.world=t,this.on=t.software&&!!t.renderer?.getContext().getExtension("EXT_color_buffer_float"),this.timer=0,this.pass=-1;let e=new In({vertexShader:"varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",fragmentShader:"uniform sampler2D picture; uniform float share; varying vec2 at; void main() { gl_FragColor = texture2D(picture, at) * share; }",uniforms:{picture:{value:null},share:{value:1}},depthTest:!1,depthWrite:!1,transparent:!0,blending:va,blendEquation:vs,blendSrc:Ma,blendDst:Ma});this.quad=new Re(new ys(2,2),e),this.quad.frustumCulled=!1,this.flat=new no(-1,1,1,-1,0,1),this.one=null,this.sum=null}begin(){clearTimeout(this.timer),this.pass=-1;let{dataset:t}=document.documentElement;if(!this.on||this.world.moving){this.world.moving?delete t.still:t.still="yes";return}delete t.still,this.timer=setTimeout(()=>{this.pass=0,requestAnimationFrame(()=>this.step())},MA)}set(t){this.on=t,this.world.app.redraw()}step(){let{world:t}=this,{renderer:e,canvas:n}=t;if(this.pass<0||!e||t.moving||document.hidden)return;let{width:s,height:r}=n,o=this.quad.material.uniforms;(this.sum?.width!==s||this.sum.height!==r)&&(this.dispose(),this.one=new aa(s,r),this.sum=new Zn(s,r,{type:pi,depthBuffer:!1}));let a=this.one,l=this.sum,[c,h]=$h[this.pass];t.render({x:c,y:h,width:s,height:r}),e.copyFramebufferToTexture(a),e.autoClear=!1,o.picture.value=a,o.share.value=1/$h.length,this.quad.material.blending=va,e.setRenderTarget(l),this.pass===0&&(e.setClearColor(0,0),e.clear()),e.render(this.quad,this.flat),e.setRenderTarget(null),o.picture.value=l.texture,o.share.value=$h.length/(this.pass+1),this.quad.material.blending=_s,e.render(this.quad,this.flat),e.autoClear=!0,this.pass+=1,this.pass<$h.length?requestAnimationFrame(()=>this.step()):(this.pass=-1,document.documentElement.dataset.still="yes")}dispose(){this.one?.dispose(),this.sum?.dispose()}};var go=84,W0=27;function Ha(i,t){let e=document.createElementNS("http://www.w3.org/2000/svg",i);for(let[n,s]of Object.entries(t))e.setAttribute(n,s);return e}var Zh=class{constructor(t){this.world=t;let e=Ha("svg",{id:"triad",viewBox:`${-go/2} ${-go/2} ${go} ${go}`,width:String(go),height:String(go),"aria-hidden":"true"});this.axes=["x","y","z"].map((n,s)=>{let r=Ha("line",{stroke:Bh[s],x1:"0",y1:"0"}),o=Ha("circle",{r:"8.5",fill:Bh[s]}),a=Ha("text",{});a.textContent=n;let l=Ha("g",{});return l.append(r,o,a),l.addEventListener("click",()=>t.views.side(n)),e.append(l),{group:l,line:r,tip:o,text:a,direction:new D(s===0?1:0,s===1?1:0,s===2?1:0)}}),this.root=e,t.app.regions.view.append(e)}draw(){let{eye:t,loaded:e}=this.world,n=t.quaternion.clone().invert(),s=new D,r=this.axes.map(o=>({...o,depth:s.copy(o.direction).transformDirection(e.root.matrixWorld).applyQuaternion(n).z,x:s.x*W0,y:-s.y*W0}));for(let{group:o,line:a,tip:l,text:c,x:h,y:u}of r.sort((f,d)=>f.depth-d.depth)){let[f,d]=[h.toFixed(2),u.toFixed(2)];a.setAttribute("x2",f),a.setAttribute("y2",d),l.setAttribute("cx",f),l.setAttribute("cy",d),c.setAttribute("x",f),c.setAttribute("y",d),this.root.append(o)}}};var bA={x:new D(1,0,0),y:new D(0,-1,0),z:new D(0,0,1)},wA=260,SA=4.5,Jh=class{constructor(t){this.world=t,this.still=matchMedia("(prefers-reduced-motion: reduce)"),this.journey=0,this.followed=null}get selected(){return Jn(this.world.app.block,this.world.app.store.state.selected)}get time(){return this.world.app.store.state.time}home(t=!1){let e=this.world.app.block.head.camera,n=e?this.said(e):this.world.eye.fitted(this.world.seenPoints(),Ga(this.world.loaded.upright.back,this.world.eye.up));if(!t)return this.go(n);this.world.eye.front=null,this.world.eye.place(n),this.world.busy.has("travel")&&this.arrive()}said({target:t,back:e,up:n,size:s}){let[r,o,a]=[t,e,n].map(l=>new D().fromArray(l));return{target:r,turn:Ga(o,a),distance:s/2/Math.tan(this.world.eye.fov*Math.PI/360)}}fit(){this.go(this.world.eye.fitted(this.world.seenPoints(),this.world.eye.quaternion))}side(t,e=!1){let{eye:n,loaded:s}=this.world,{up:r}=s.upright,o=bA[t],a=Math.abs(o.dot(r)),l=a>.9999?o.clone().multiplyScalar(Math.sign(o.dot(r))):o,c=u=>u.clone().transformDirection(s.root.matrixWorld),h=c(l);this.go(n.fitted(this.world.seenPoints(),Ga(e||n.back().dot(h)>.99999?h.negate():h,c(a>.9999?fr(r)[1]:r))))}along(){Fn(this.world.app,{parallel:!0});let{eye:t,loaded:e}=this.world,n=this.selected,{axis:s}=e.places.axis(n),r=n?e.places.points(n):this.world.seenPoints();this.go(t.fitted(r.length>1?r:this.world.seenPoints(),X0(s,t)))}pair(){let{pairs:t}=this.world.app.block.head,e=this.selected;return e?.kind==="pair"?e.said:t.find(s=>e&&[s.wheel_a,s.wheel_b,s.body_a,s.body_b].includes(e.name))??(e?void 0:t[0])??t[0]}atMesh(){let{eye:t,loaded:e}=this.world,n=this.pair(),s=n&&e.places.mesh(n,this.time);if(!n||!s)return;let r=[n.wheel_a,n.wheel_b].flatMap(d=>e.places.gear(d)??[]),o=r.sort((d,p)=>d.shape.detail-p.shape.detail)[0],a=n.kind==="worm"&&o?new D(0,0,1).transformDirection(o.holder.matrixWorld):e.places.axis({kind:"pair",name:n.name,said:n}).axis;Fn(this.world.app,{parallel:!0});let l=SA*(o?.shape.detail||.1*e.size),c=X0(a,t),h=new D(0,0,1).applyQuaternion(c),u=r.flatMap(({shape:d,holder:p})=>d.support.map(v=>v.clone().applyMatrix4(p.matrixWorld).sub(s).dot(h))),f=u.length?Math.max(...u)+.001*l:null;this.go({target:s,turn:c,front:f,distance:l/2/Math.tan(t.fov*Math.PI/360)})}zoomTo(t){let{eye:e,loaded:n}=this.world,s=Jn(this.world.app.block,t);if(!s)return;let r=n.places.points(s);if(!r.length)return;let o=e.fitted(r,e.quaternion,1.3),a=s.kind==="joint"?s.said.size||.05*n.size:0;this.go({...o,distance:Math.max(o.distance,12*a,.02*n.size)})}go(t){let{eye:e,app:n,loaded:s}=this.world;if(![...t.target.toArray(),...t.turn.toArray(),t.distance].every(Number.isFinite))return;let r=++this.journey;if(this.world.untouched=!1,e.front=t.front??null,this.still.matches||!this.world.renderer||document.hidden||n.frames===0){e.place(t),this.arrive();return}let o=e.stand(),a=performance.now(),l=o.turn.dot(t.turn)<0?new fe(-t.turn.x,-t.turn.y,-t.turn.z,-t.turn.w):t.turn;document.documentElement.dataset.travelling="yes",this.world.busy.add("travel");let c=()=>{if(r!==this.journey||s!==this.world.loaded)return;let h=Math.min((performance.now()-a)/wA,1),u=h*h*(3-2*h);if(h>=1){e.place(t),this.arrive();return}e.place({target:o.target.clone().lerp(t.target,u),turn:new fe().slerpQuaternions(o.turn,l,u),distance:o.distance*(t.distance/o.distance)**u}),n.redraw(),requestAnimationFrame(c)};requestAnimationFrame(c)}arrive(){this.journey+=1,delete document.documentElement.dataset.travelling,this.world.busy.delete("travel"),this.world.app.redraw()}follow(){let{eye:t,loaded:e,app:n}=this.world,{follow:s,turning:r}=n.store.state.look,o=e.bodies.byName.get(Ss(Jn(n.block,s)));if(this.followed?.name===(o?.name??"")&&this.followed.turning===r)return;let a=e.root.matrix.clone().invert();if(this.followed){let{target:l,turn:c}=t.stand();t.place({target:l.applyMatrix4(a),turn:c.premultiply(new fe().setFromRotationMatrix(a))})}this.followed=o?{name:o.name,turning:r,pose:e.bodies.pose(o,this.time)}:null}frame(t,e){let{followed:n}=this,s=n&&this.world.loaded.bodies.byName.get(n.name);if(e.identity(),!n||!s)return;let r=this.world.loaded.bodies.pose(s,t);n.turning?e.copy(n.pose).multiply(r.invert()):e.makeTranslation(new D().setFromMatrixPosition(n.pose).sub(new D().setFromMatrixPosition(r))),e.elements.every(Number.isFinite)||e.identity()}};function X0(i,t){let e=i.clone().multiplyScalar(i.dot(t.back())<0?-1:1);return Ga(e,Math.abs(e.dot(t.up))>.999?fr(t.up)[1]:t.up)}var AA="The graphics of this browser were lost. The picture comes back when the browser restores them; if it does not, load the page again.",TA="This browser has no WebGL 2, which the 3D view requires. Turn on hardware acceleration, or use another browser. Parts, plots and values work without it.",EA=110,CA=55,Kh=class{constructor(t,e){this.canvas=t,this.app=e;let{software:n,renderer:s}=PA(t);this.software=n,this.renderer=s,this.message=N("p",{id:"no-picture",role:"alert",hidden:!!s},s?"":TA),this.nothing=N("p",{id:"nothing",role:"status",hidden:!0}),e.regions.view.append(this.message,this.nothing),this.eye=new Fh,this.backdrop=new Rh,this.camera=this.eye,this.busy=new Set,this.ratio=1,this.drawnAt=0,this.untouched=!0,this.views=new Jh(this),this.controls=new Dh(this),this.labels=new Vh(this),this.triad=new Zh(this),this.still=new Yh(this),this.pick=new Gh(this),this.loaded=this.load(),this.home(),this.mark(),this.show(),e.store.on(["record"],()=>this.reload()),e.store.on(["time"],()=>this.show()),e.store.on(["hidden","clear","selected"],()=>this.mark()),e.store.on(["playing"],()=>e.redraw()),e.store.on(["look"],()=>this.relook()),new ResizeObserver(()=>e.redraw()).observe(t),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>e.redraw()),document.addEventListener("visibilitychange",()=>{document.hidden||e.redraw()}),t.addEventListener("webglcontextlost",r=>{r.preventDefault(),this.say(AA)}),t.addEventListener("webglcontextrestored",()=>{this.say(""),e.redraw()})}get moving(){return this.app.store.state.playing||this.busy.size>0}say(t){this.message.textContent=t,this.message.hidden=!t}load(){let{block:t}=this.app,e=new na,n=new Ie,s=A0(),r=new Nh(t,s);n.matrixAutoUpdate=!1,n.add(r.root),e.add(n,this.backdrop);let o=r.reached(),a=new jn().setFromPoints(o),l=(a.isEmpty()?0:a.getSize(new D).length())||1;r.show(this.app.store.state.time),e.updateMatrixWorld(!0);let c=new wh(t,r,n),h=new zh(t,r,l),u=new Xh(t,c,s,l),f=new Hh(t,c,s),d=k0(t.head,r,o);this.eye.up.copy(d.up);let p=new Oh(r,l),v=new kh(o,d.up);return n.add(h.root,u.root,f.root,p.root,v.root),{scene:e,root:n,box:a,size:l,reached:o,cut:s,bodies:r,places:c,joints:h,springs:u,sheets:f,frames:p,floor:v,upright:d}}reload(){let t=this.loaded;this.loaded=this.load(),RA(t.root),this.views.followed=null,this.pick.over=null,(!(t.box.getCenter(new D).distanceTo(this.loaded.box.getCenter(new D))<.2*t.size)||!t.upright.up.equals(this.loaded.upright.up)||this.loaded.size>1.3*t.size||this.loaded.size<.7*t.size)&&this.home(),this.relook(),this.show()}home(){Fn(this.app,{parallel:!1}),this.views.home(),this.untouched=!0}seenPoints(){let{hidden:t}=this.app.store.state,{bodies:e,root:n,reached:s}=this.loaded,r=e.all.some(o=>t.has(o.name))?e.reached(o=>!t.has(o.name)):s;return(r.length?r:s).map(o=>o.clone().applyMatrix4(n.matrixWorld))}show(){let{time:t}=this.app.store.state,{root:e,bodies:n,joints:s,springs:r,sheets:o,frames:a,scene:l}=this.loaded;this.views.frame(t,e.matrix),e.matrixWorldNeedsUpdate=!0,n.show(t),this.app.effects?.layers.block===this.app.block&&this.app.effects.deform(t),l.updateMatrixWorld(!0);for(let c of[s,r,o,a])c.show();l.updateMatrixWorld(!0),this.app.redraw()}mark(){let{state:t}=this.app.store,{bodies:e,joints:n,springs:s,sheets:r,frames:o,floor:a}=this.loaded,{look:l}=t;e.mark({...t,over:this.pick.over?.part??null}),n.mark(t,ka(l,this.app.block.head)),s.mark(t),r.mark(t),o.mark(l.frames,Ss(Jn(this.app.block,t.selected)),t.hidden),a.root.visible=l.floor,this.nothing.hidden=!this.renderer||e.parts.some(({body:c,holder:h})=>c.group.visible&&h.visible)||this.app.block.head.springs.some(c=>!t.hidden.has(c.name)),this.nothing.textContent=e.parts.length?"All parts are hidden. Select them in the list of parts to show them.":"There are no bodies to draw.",this.app.redraw()}relook(){let{parallel:t}=this.app.store.state.look;this.views.follow(),this.eye.parallel=t,this.mark(),this.show()}draw(){let{canvas:t,renderer:e,eye:n,loaded:s,app:r}=this,{clientWidth:o,clientHeight:a}=t;if(!e||e.getContext().isContextLost()||!o||!a){document.documentElement.dataset.still="yes";return}let l=performance.now(),c=l-this.drawnAt;this.drawnAt=l,!this.software||!this.moving?this.ratio=1:c<1e3&&(this.ratio=c>EA?Math.max(this.ratio*.8,.5):c<CA?Math.min(this.ratio*1.25,1):this.ratio);let h=(this.software?1:Math.min(devicePixelRatio,2))*this.ratio;(t.width!==Math.floor(o*h)||t.height!==Math.floor(a*h))&&(e.setPixelRatio(h),e.setSize(o,a,!1)),n.aspect!==o/a&&(n.aspect=o/a,n.foot=Math.min((r.regions.tools.offsetHeight+8)/a,.35),this.untouched&&this.views.home(!0)),n.reach.copy(new hi(s.box.isEmpty()?new D:s.box.getCenter(new D),.75*s.size)).applyMatrix4(s.root.matrixWorld),n.place({}),E0(this),this.backdrop.take(t),s.bodies.fadeEdges(n,a,r.store.state.look.edges),this.render({x:0,y:0,width:1,height:1}),this.triad.draw(),this.labels.draw(),this.still.begin()}render(t){let{renderer:e,eye:n,loaded:s}=this;e&&(n.shift=t,n.updateProjectionMatrix(),e.render(s.scene,n),n.shift={x:0,y:0,width:1,height:1},n.updateProjectionMatrix())}};function RA(i){i.traverse(t=>{t.geometry?.dispose(),t.material?.dispose(),t.isInstancedMesh&&t.dispose()})}function PA(i){let t=document.createElement("canvas").getContext("webgl2");if(!t)return{software:!0,renderer:null};let e=t.getParameter(t.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL??t.RENDERER);t.getExtension("WEBGL_lose_context")?.loseContext();let n=/swiftshader|llvmpipe|software|basic render/i.test(e);try{return{software:n,renderer:new hh({canvas:i,antialias:!n,stencil:!0})}}catch{return{software:n,renderer:null}}}var IA="The pressure at sharp edges is unbounded. Values there depend on the resolution of the analysis.";function q0(i){return[...NA(i),...LA(i),...DA(i)]}function NA(i){let{meshColour:t,deformed:e}=i.effects.layers,{colour:n,axial:s,magnification:r}=i.store.state.effects,o=[];n==="force"&&t.largest>0&&o.push(Oa("heat",t.largest,"N","normal force of teeth"));let a=e.largest(s);return n==="displacement"&&a>0&&o.push(Oa("shift",a,"m",s?"displacement":"displacement across axes",{title:e.words})),r!==1&&e.structures.length&&o.push(N("div",{},`displacements drawn ${r} times`)),o}function LA(i){if(!i.effects.showsContact)return[];let{largest:t,cut:e,loads:n}=i.effects.contact,s=[],r=n[Math.min(i.store.state.effects.load??1/0,n.length-1)];return r!==void 0&&s.push(N("div",{},`under ${r} on gear B`)),t.pressure>0&&s.push(Oa("heat",t.pressure,"Pa","pressure on the flanks",{cut:e,title:e?IA:""})),t.line>0&&s.push(Oa("heat",t.line,"N/m","mean line load")),s}function DA(i){let{effects:t}=i,e=t.groups(),n=[];for(let[s,r]of[["force","N"],["torque","N*m"]]){let o=t.arrows.largest(s,e);if(!(o>0))continue;let a=o/(fd*i.store.state.effects.arrowScale),l=p0(90*a),c=N("span",{className:`bar ${s}`});c.style.width=`${l/a}px`;let h=`At the depth of the centre of rotation of the view.${s==="torque"?" Torques follow the right-hand rule.":""}`;n.push(N("div",{className:"scale",title:h},c,`${s} ${ho(l,r)}`))}return n}function Y0(i){let t=N("summary",{},"Forces and colours"),e=N("details",{id:"effects"},t),n=N("div",{id:"legend"});i.regions.view.append(e,n);let s=[],r=-1,o=()=>{r!==i.store.state.record&&(r=i.store.state.record,s=[UA,OA,kA,BA].flatMap(a=>a(i)??[]),e.replaceChildren(t,...s.map(({element:a})=>a),...s.length?[]:[FA(i)]));for(let{sync:a}of s)a();n.replaceChildren(...q0(i))};i.effects.onChange(o),o(),z0(i)}function FA(i){let{samples:t,kind:e}=i.block.head;return N("p",{className:"faint"},t||e!=="built"?"This record contains no forces.":"A model as built has no forces. Run the model first.")}function Ud(i,t,e,n,s=""){let r=N("input",{type:"checkbox","data-effect":t,onchange:()=>i.effects.set({[t]:r.checked})});return{element:N("label",{title:s},r,n),sync:()=>{r.checked=e()}}}function Z0(i,t,e,n,s,r){let o=N("input",{type:"range",min:String(e),max:String(n),step:"0.01","data-effect":t,"aria-label":s,oninput:()=>i.effects.set({[t]:r(10**Number(o.value))})});return{element:o,sync:()=>{r(10**Number(o.value))!==i.store.state.effects[t]&&(o.value=String(Math.log10(i.store.state.effects[t])))}}}function UA(i){let{effects:t}=i,e=t.arrows.groups();if(!e.size)return null;let n=Object.entries(ph).filter(([o])=>e.has(o)).map(([o,{label:a}])=>{let l=N("input",{type:"checkbox","data-group":o,onchange:()=>{let c=new Set(t.groups());l.checked?c.add(o):c.delete(o),t.set({groups:c})}});return{element:N("label",{},l,N("span",{className:`chip arrow-${o}`}),`${a} (${e.get(o)})`),sync:()=>{l.checked=t.groups().has(o)}}}),s=Z0(i,"arrowScale",-1,1,"Length of arrows",o=>o),r=Ud(i,"reactions",()=>i.store.state.effects.reactions,"Reactions too","The reaction force on the other body");return{element:N("fieldset",{},N("legend",{},"Arrows"),...n.map(({element:o})=>o),N("label",{},"Length",s.element),r.element),sync:()=>{for(let{sync:o}of[...n,s,r])o()}}}var $0=i=>Number(i.toPrecision(2));function OA(i){let{deformed:t}=i.effects.layers;if(!(t.largest(!0)>0))return null;let e=()=>i.store.state.effects,n=Z0(i,"magnification",0,5,"Magnification of displacements",$0),s=N("output",{"data-effect":"magnified"}),r=()=>Math.max(1,$0(i.world.loaded.size/20/(t.largest(e().axial)||1/0))),o=N("button",{type:"button",title:"The largest displacement is drawn as 1/20 of the scene size",onclick:()=>i.effects.set({magnification:r()})},"Fit"),a=N("button",{type:"button",title:"True scale",onclick:()=>i.effects.set({magnification:1})},"1"),l=Ud(i,"axial",()=>e().axial,"Include axial displacement","Axial displacement is mostly the axial play of the bearings. It hides the bending of the shafts."),c=N("p",{className:"faint"});return{element:N("fieldset",{},N("legend",{},"Deformation"),N("div",{className:"line"},"×",s,n.element,o,a),l.element,c),sync:()=>{n.sync(),l.sync(),s.textContent=String(e().magnification),c.textContent=`Largest displacement ${e().axial?"":"across the axes "}${ho(t.largest(e().axial),"m")}, ${t.words}. Rotation about the axes of shafts is not magnified.`}}}function kA(i){let{meshColour:t,deformed:e}=i.effects.layers,n=[["own","their own colour"],...t.largest>0?[["force","that of the force of their teeth"]]:[],...e.largest(!0)>0?[["displacement","that of their displacement"]]:[]];if(n.length<2)return null;let s=N("select",{"data-effect":"colour","aria-label":"Colour of bodies",onchange:()=>i.effects.set({colour:s.value})},...n.map(([r,o])=>N("option",{value:r},o)));return{element:N("fieldset",{},N("legend",{},"Bodies have"),s),sync:()=>{s.value=i.store.state.effects.colour}}}function BA(i){let{contact:t}=i.effects,{loads:e}=t,n=t.tables.length>0;if(!t.lines.some(({ideal:a})=>a)&&!n)return null;let s=n?t.tables[0].text:"Contact lines of ideal rigid flanks, without flank modifications and tooth bending. The colour shows the mean load of a line.",r=Ud(i,"contact",()=>i.effects.showsContact,n?"Pressure on the flanks":"Lines of contact"),o=N("select",{"data-effect":"load",onchange:()=>i.effects.set({load:o.selectedIndex})},...e.map(a=>N("option",{},a)));return{element:N("fieldset",{},N("legend",{},"Contact of the teeth"),r.element,...e.length>1?[N("label",{},"Torque on gear B",o)]:[],N("p",{className:"faint"},s)),sync:()=>{r.sync(),o.selectedIndex=Math.min(i.store.state.effects.load??1/0,e.length-1)}}}var Od={G:1e9,M:1e6,k:1e3,"":1,m:.001,µ:1e-6,n:1e-9},zA={m:["","m","µ","n"],s:["","m","µ","n"],rad:["","m","µ"],Hz:["M","k",""],N:["M","k","","m","µ"],"N*m":["M","k","","m","µ"],Pa:["G","M","k",""],W:["M","k","","m","µ"],J:["M","k","","m","µ"],"N/m":["G","M","k",""],"N*m/rad":["G","M","k",""],"m/s":["","m","µ"],"N*s/m":["M","k",""],V:["k","","m"],A:["k","","m"]};function dr(i,t,e=!1){if(e&&i==="rad")return{unit:"°",factor:180/Math.PI};if(e&&i==="rad/s")return{unit:"rpm",factor:30/Math.PI};let n=zA[i];if(!n||!(t>0)||!Number.isFinite(t))return{unit:jh(i),factor:1};let s=n[n.length-1],r=n.find(o=>t>=Od[o]*.9995)??(t>=Od[s]*1e-4?s:"");return{unit:r+jh(i),factor:1/Od[r]}}function jh(i){return i==="1"?"":i.replaceAll("*","·").replace(/\^(-?\d+)/g,(t,e)=>[...e].map(n=>n==="-"?"⁻":"⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(n)]).join(""))}function bn(i,t=4){if(!Number.isFinite(i))return Number.isNaN(i)?"—":i>0?"∞":"−∞";if(i===0)return"0";let e=Math.abs(i),n=e>=1e6||e<1e-4?i.toExponential(t-1):i.toPrecision(t);return xo(n.includes("e+")&&!n.includes(".")?String(Math.round(i)):n)}var xo=i=>i.replace(/^-/,"−").replace("e-","e−").replace("e+","e");function Wa(i,t,e=!1){let n=dr(t,Math.abs(i),e);return`${bn(i*n.factor)}${n.unit==="°"?"":n.unit&&" "}${n.unit}`}var mi=i=>i.head.time_axis??{label:"time",unit:"s"};function Qh(i,t){return t&&t.unit!=="s"?{unit:t.unit,factor:1}:i>=.5||!(i>0)?{unit:"s",factor:1}:i>=5e-4?{unit:"ms",factor:1e3}:{unit:"µs",factor:1e6}}function kd(i,t,e){let{unit:n,factor:s}=Qh(t,e),r=Math.max(Math.abs(t*s),1e-9),o=t>0?Math.min(Math.max(5-Math.ceil(Math.log10(r)),0),9):3;return`${xo((i*s).toFixed(o))} ${n}`}function tu(i){return i>=1e-4?String(Number(i.toPrecision(2))):i.toExponential(0).replace("e-","e−")}function eu(i,t,e=1){let n=t*e,s=0;for(;s<10&&Math.abs(n*10**s-Math.round(n*10**s))>1e-6*n*10**s;)s+=1;let r=Math.max(...i.map(o=>Math.abs(o*e)));return r>=1e7||r>0&&r<1e-5?i.map(o=>o===0?"0":xo(Number((o*e).toPrecision(4)).toExponential())):i.map(o=>xo((Math.abs(o*e)<n*1e-6?0:o*e).toFixed(s)))}function Nn(i){let{head:t,time:e}=i,n=[e,t.span??[]];t.arrays[t.signal_time]&&n.push(i.array(t.signal_time));let s=1/0,r=-1/0;for(let o of n)o.length&&(s=Math.min(s,o[0]),r=Math.max(r,o[o.length-1]));return s<=r?{from:s,to:r}:{from:0,to:0}}var VA=["#0072B2","#C44E00","#00875F","#A8478C","#2E9BD6","#B87F00","#1c2126","#7A5230"],GA=["#4AA8E8","#FF8F52","#3FD0A4","#E59FCB","#9AD8FF","#F2C14E","#E8ECF0","#C69C6D"],J0=[[],[7,4],[2,3],[9,3,2,3]],Bd=16,HA=2**20,WA=2**22,nu=class{taken=new Map;keep(t){for(let e of[...this.taken.keys()])t.includes(e)||this.taken.delete(e);for(let e of t){if(this.taken.has(e))continue;let n=new Set(this.taken.values()),s=0;for(;n.has(s);)s+=1;this.taken.set(e,s)}}colour(t,e){let n=e?GA:VA;return n[(this.taken.get(t)??0)%n.length]}};function K0(i,t,e){let{curves:n,overlay:s}=i.store.state,r=[...new Set(n.map(u=>u.name))],o=i.blocks.map(Nn).map(({from:u,to:f})=>f>u),{label:a}=mi(i.block),l=u=>s&&(o[u]||!o.includes(!0)),c=[];for(let u of r)i.blocks.forEach((f,d)=>{let p=ze(f).get(u);!p||mi(f).label!==a||!(l(d)||n.some(v=>v.name===u&&v.record===d))||c.push({record:d,name:u,unit:p.unit==="1"?"":p.unit,label:u,description:p.signal.description,colour:"",style:0,dash:[]})});let h=[...new Set(c.map(u=>u.record))].sort((u,f)=>u-f);for(let u of c)u.style=h.indexOf(u.record)%J0.length,u.dash=J0[u.style];t.keep(c.map(u=>Si(u.record,u.name)));for(let u of c)u.colour=t.colour(Si(u.record,u.name),e);if(h.length>1)for(let u of c)u.label=`${u.name} · ${zd(i,u.record)}`;return c}function zd(i,t){let e=i.blocks.map(n=>n.head.name);return e.filter(n=>n===e[t]).length>1?`${e[t]} (${t+1})`:e[t]}var Si=(i,t)=>`${i}
${t}`;async function j0(i,t,e,n,s){let r=new Map;for(let{record:a,name:l}of t)r.set(a,(r.get(a)??new Set).add(l));let o=new Map;return await Promise.all([...r].flatMap(([a,l])=>{let c=[...l];return Array.from({length:Math.ceil(c.length/Bd)},async(h,u)=>{let f=c.slice(u*Bd,(u+1)*Bd),{time:d,low:p,high:v}=await i.source.series(a,f,e,n,Math.min(s,HA,Math.floor(WA/f.length)));f.forEach((g,m)=>o.set(Si(a,g),{time:d,low:p[m],high:v[m]}))})})),o}var XA=[["Space","play, pause"],["← →","previous or next sample"],["Shift + ← →","previous or next mesh period"],["Home, End","first, last sample"],["+ −","faster, slower"],["/","find a signal; arrow down: into the list; space: plot it"],["in the plot: ↑ ↓","zoom in and out about the time; Backspace: back; 0: all"],["Escape","close a dialog; nothing selected"],["?","this help"]],qA=[["F, R","fit everything; the first view again"],["X Y Z","look against an axis; once more: from the other side"],["A, M","along the axis of the selected part; at the mesh"],["G, C","go with the selected body; cutting plane"],["I, H, T, S","show only the selected part, hide it, make it see-through; show all parts"],["J, N, E, P","joints, names, edges, parallel projection"],["Ctrl + arrows","turn the view; with Shift: move it. Page up, down: nearer, farther"]],$A=[["3D view","drag: rotate. Right button or Shift and drag: move. Wheel: zoom. Click: select."],["Plot","click: go to this time. Drag: zoom in. Wheel: zoom. Double click: show all."],["Bars between panels","drag: resize. Double click: collapse. Arrow keys and Enter do the same."]];function Q0(){let i=e=>N("dl",{},...e.flatMap(([n,s])=>[N("dt",{},n),N("dd",{},s)])),t=N("dialog",{id:"help","aria-label":"Help"});return t.append(Xn("close","Close",()=>t.close(),{className:"tool close"}),N("h2",{},"Keys"),i(XA),N("h2",{},"Keys of the 3D view"),i(qA),N("h2",{},"Mouse and touch"),i($A)),t.addEventListener("click",e=>{e.target===t&&t.close()}),document.body.append(t),N("button",{id:"show-help",type:"button",className:"tool",title:"Keys (?)","aria-label":"Help: keys",onclick:()=>t.showModal()},"?")}function tx(i){let{store:t,regions:e}=i,n=N("b",{}),s=N("select",{id:"record","aria-label":"Record",onchange:()=>t.set({record:Number(s.value)})}),r=N("span",{id:"about"}),o=JA(i);e.header.append(N("h1",{id:"title"},n),s,r,N("span",{className:"gap"}),o.button,...KA(i),jA(i),Q0());function a(){let{head:l}=i.block;document.title=l.title,n.textContent=n.title=l.title,s.replaceChildren(...i.blocks.map((c,h)=>new Option(zd(i,h),String(h),!1,h===t.state.record))),s.hidden=i.blocks.length<2,r.textContent=r.title=YA(i),r.classList.toggle("alarm",l.status!==""&&l.status!=="completed"),o.fill()}t.on(["record","records"],a),a()}function YA(i){let{head:t}=i.block,{to:e}=Nn(i.block),{unit:n}=mi(i.block),s=[t.kind==="built"?"as built, not run":t.kind,t.status];return t.kind!=="built"&&!t.linear&&s.push(t.samples===0&&t.signals.length===0&&t.linear?"":t.samples===0?"no samples":t.samples===1?"1 sample":`${t.samples} samples to ${n==="s"?ZA(e):`${Number(e.toPrecision(5))} ${n}`}`),s.filter(Boolean).join(", ")+(t.version?`; pitchline ${t.version}`:"")}var ZA=i=>Math.abs(i)>=.001||i===0?`${Number(i.toPrecision(5))} s`:`${bn(i*1e6)} µs`;function JA(i){let t=N("dialog",{id:"messages","aria-label":"Warnings and notes"}),e=N("button",{id:"show-messages",type:"button",className:"tool",onclick:()=>t.showModal()});t.addEventListener("click",s=>{s.target===t&&t.close()}),document.body.append(t);function n(){let{message:s,warnings:r,notes:o,status:a}=i.block.head,l=s&&a!=="completed"?[s]:[],c=l.length+r.length,h=c+o.length,u=[c?`${c} ${c===1?"warning":"warnings"}`:"",o.length?`${o.length} ${o.length===1?"note":"notes"}`:""].filter(Boolean).join(", ");e.hidden=h===0,e.classList.toggle("alarm",c>0),e.title=u,e.setAttribute("aria-label",u),e.replaceChildren(Bo(c?"warning":"note"),String(h));let f=(d,p)=>p.length?[N("h2",{},d),N("ul",{},...p.map(v=>N("li",{},v)))]:[];t.replaceChildren(Xn("close","Close",()=>t.close(),{className:"tool close"}),...f(`The run: ${a}`,l),...f("Warnings",r),...f("Notes on this view",o))}return{button:e,fill:n}}function KA(i){let{panels:t}=i.regions,e=[["parts","left","Parts"],["plot","below","Plot"],["side","right","Selected part and signals"]],n=e.map(([r,o,a])=>Xn(o,`Show or hide: ${a}`,()=>t.toggle(r),{className:"tool fold",id:`fold-${r}`})),s=()=>n.forEach((r,o)=>r.setAttribute("aria-pressed",String(t.open(e[o][0]))));return t.watch(s),s(),n}function jA(i){let{store:t}=i,e=Xn("theme","",()=>{let s=["system","light","dark"];t.set({theme:s[(s.indexOf(t.state.theme)+1)%3]})},{id:"theme"});function n(){let{theme:s}=t.state;document.documentElement.dataset.theme=s,e.title=`Colours: ${s==="system"?"as the system":s}`,e.setAttribute("aria-label",e.title),i.redraw()}return t.on(["theme"],n),n(),e}var ex=/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;function QA({low:i,high:t,unit:e}){let n=e?` ${e}`:"";return i!==void 0&&t!==void 0?`${i} to ${t}${n}`:i!==void 0?`at least ${i}${n}`:t===void 0?"":`at most ${t}${n}`}var iu=class{constructor(t,e){this.said=t,this.first=t.formula?"":t.value;let n=`parameter-${t.name}`,s=[t.text,QA(t)].filter(Boolean).join("; ");this.input=t.choices?N("select",{id:n},...t.choices.map(r=>new Option(r,r,r===t.value,r===t.value))):N("input",{id:n,type:"text",inputMode:"decimal",autocomplete:"off",spellcheck:!1,value:this.first,placeholder:t.formula?t.value:""}),this.input.setAttribute("aria-describedby",`${n}-about ${n}-wrong`),this.input.addEventListener("input",()=>{this.mark(),this.wrong(""),e()}),this.back=N("button",{type:"button",className:"back",title:`Back to ${this.words()}`,"aria-label":`Reset ${t.name} to ${this.words()}`,onclick:()=>{this.reset(),e(),this.input.focus()}},"↺"),this.unit=N("span",{className:"unit"},t.unit),this.problem=N("p",{id:`${n}-wrong`,className:"wrong",role:"alert",hidden:!0}),this.row=N("div",{className:"field","data-name":t.name},N("label",{for:n,title:t.name},t.name),N("span",{className:"entry"},this.input,this.unit,this.back),N("p",{id:`${n}-about`,className:"about"},t.formula?[s,t.formula].filter(Boolean).join("; "):s),this.problem),this.mark()}words(){let{value:t,unit:e,formula:n}=this.said;return n||(e?`${t} ${e}`:t)}get changed(){return this.input.value.trim()!==this.first}get value(){let t=this.input.value.trim();return this.said.unit&&ex.test(t)?`${t} ${this.said.unit}`:t}mark(){let t=this.input.value.trim();this.unit.classList.toggle("own",t!==""&&!ex.test(t)),this.row.classList.toggle("changed",this.changed),this.back.hidden=!this.changed}reset(){this.input.value=this.first,this.mark(),this.wrong("")}wrong(t){this.problem.textContent=t,this.problem.hidden=!t,t?this.input.setAttribute("aria-invalid","true"):this.input.removeAttribute("aria-invalid")}};var tT=12;function nx(i,t){let e=i.parameters.map(g=>new iu(g,f)),n=e.filter(g=>!g.said.formula),s=e.filter(g=>g.said.formula),r=N("input",{type:"search",id:"find-parameter",placeholder:"Find a parameter","aria-label":"Find a parameter",hidden:e.length<tT,oninput:()=>{let g=r.value.trim().toLowerCase();for(let{row:m,said:{name:_,text:b}}of e)m.hidden=!`${_} ${b}`.toLowerCase().includes(g);o.open=o.open||g!==""&&s.some(({row:m})=>!m.hidden)}}),o=N("details",{hidden:!s.length},N("summary",{},`Computed from others (${s.length})`),...s.map(g=>g.row)),a=N("p",{id:"run-wrong",className:"wrong",role:"alert",hidden:!0}),l=N("button",{id:"run",type:"submit",className:"main"},"Run");l.title=i.analyses.length?`Runs ${i.analyses.join(", ")}`:"Runs the analyses of the model";let c=N("button",{id:"reset-parameters",type:"button",onclick:()=>{for(let g of e)g.reset();f()}},"Reset all"),h=N("span",{className:"faint",id:"changed-parameters"}),u=N("form",{noValidate:!0,onsubmit:g=>{g.preventDefault(),d()}},r,...n.map(g=>g.row),o,N("div",{className:"actions"},l,c,h),a);function f(){let g=e.filter(m=>m.changed).length;h.textContent=g?`${g} changed`:"",c.disabled=!g}async function d(){for(let m of e)m.wrong("");v("");let g=e.filter(m=>m.changed&&m.value==="");for(let m of g)m.wrong("a value is required");if(g.length)return g[0].input.focus();l.disabled=!0;try{await t(Object.fromEntries(e.filter(m=>m.changed).map(m=>[m.said.name,m.value])))}catch(m){p(m)}}function p(g){let m=g instanceof Dr&&g.data?.problems||[],_=[];for(let{parameter:x,message:S}of m){let M=e.find(y=>y.said.name===x);M?(M.wrong(S),M.said.formula&&(o.open=!0)):_.push(S)}let b=e.find(x=>x.input.hasAttribute("aria-invalid"));m.length||_.push(g instanceof Error?g.message:String(g)),v(_.join(`
`)),l.disabled=!1,b?.input.focus()}function v(g){a.textContent=g,a.hidden=!g}return f(),{form:u,free(g){l.disabled=!g},show:p}}var su=class{constructor(t){this.source=t}get offered(){return this.source.routes.has("/api/parameters")}form(){return this.source.get("/api/parameters")}run(t){return this.source.post("/api/run",{parameters:t})}stop(){return this.source.post("/api/stop",{})}save(t,e,n,s){return this.source.post("/api/save",s===void 0?{run:t,what:e,name:n}:{run:t,what:e,name:n,record:s})}progress(){return this.source.events("/api/progress")}};var ix={running:"running",stopping:"stopping",completed:"completed",stopped:"stopped",failed:"failed"};function Vd(i){let t=Math.round(i);return t<60?i<10?`${i.toFixed(1)} s`:`${t} s`:t<3600?`${Math.floor(t/60)} min ${t%60} s`:`${Math.floor(t/3600)} h ${Math.floor(t%3600/60)} min`}function sx(i,t){let e=new Map,n=N("ol",{id:"runs","aria-label":"Runs of this page",reversed:!0}),s=N("section",{className:"runs",hidden:!0},N("h3",{},"Runs of this page"),n);return{section:s,tell(r){let o=e.get(r.run);o||(o=eT(i,t),e.set(r.run,o),n.prepend(o.row),s.hidden=!1),o.tell(r)}}}function eT(i,{model:t,has_file:e}){let n,s=N("b",{}),r=N("span",{className:"state"}),o=N("progress",{max:1,"aria-label":"Part done"}),a=N("p",{className:"about",role:"status"}),l=N("p",{className:"wrong",role:"alert",hidden:!0}),c=N("button",{type:"button",className:"stop",onclick:()=>i.stop().catch(m)},"Stop"),h=N("button",{type:"button",onclick:()=>i.show(n,!1)},"Show"),u=N("button",{type:"button",title:"Show this run together with the curves of the others",onclick:()=>i.show(n,!0)},"Compare"),f=_("result","Save result as",".nc"),d=_("model","Save model file as",".toml"),p=N("div",{className:"actions"},h,u,f.button,d.button),v=N("div",{className:"actions"},o,c),g=N("li",{},N("div",{className:"title"},s,r),a,l,v,p,f.form,d.form);function m(x){l.textContent=x instanceof Error?x.message:String(x),l.hidden=!l.textContent}function _(x,S,M){let y=`save-${x}-${Math.random().toString(36).slice(2,8)}`,w=N("input",{id:y,type:"text",autocomplete:"off",spellcheck:!1,maxLength:120}),I=N("p",{className:"about",role:"status",hidden:!0}),C=N("select",{"aria-label":"Which result",hidden:!0}),L=N("form",{className:"saving",hidden:!0,onsubmit:async F=>{F.preventDefault(),m("");try{I.textContent=`Saved: ${await i.save(n,x,w.value,x==="result"?Number(C.value):void 0)}`,I.hidden=!1}catch(E){I.hidden=!0,m(E),w.focus()}}},N("label",{for:y},S),C,N("span",{className:"entry"},w,N("span",{className:"unit"},M)),N("button",{type:"submit"},"Save"),I),k=N("button",{type:"button","aria-expanded":"false",onclick:()=>{L.hidden=!L.hidden,k.setAttribute("aria-expanded",String(!L.hidden)),w.value||(w.value=b()),C.replaceChildren(...n.results.map(F=>new Option(i.called(F),String(F)))),C.hidden=x!=="result"||n.results.length<2,L.hidden||w.select()}},`${S} …`);return{button:k,form:L}}function b(){let x=Object.entries(n.parameters).map(([S,M])=>` ${S} ${M}`).join("");return`${t}${x}`.replace(/[^\p{L}\p{N}._ -]+/gu,"_").slice(0,80).trim()||"model"}return{row:g,tell(x){n=x;let S=x.state==="running"||x.state==="stopping";g.dataset.state=x.state,s.textContent=s.title=x.name,r.textContent=S?`${ix[x.state]}, ${Vd(x.seconds)}`:`${ix[x.state]} in ${Vd(x.seconds)}`;let M=S&&x.left!==null?`${Vd(x.left)} left`:"";a.textContent=S?[x.title,x.detail,M].filter(Boolean).join(", "):x.remarks.join("; "),a.hidden=!a.textContent,x.fraction===null?o.removeAttribute("value"):o.value=x.fraction,v.hidden=!S,c.textContent=x.state==="stopping"?"Stop at once":"Stop",c.title=x.state==="stopping"?"The computed samples are lost":"The samples computed so far are kept",p.hidden=S,h.hidden=u.hidden=!x.records.length,f.button.hidden=!x.results.length,d.button.hidden=!e,!S&&x.message&&x.state!=="completed"&&m(x.message)}}}function ox(i){let{source:t}=i,e=t instanceof zo?new su(t):null,n=N("div",{}),s=N("button",{type:"button",className:"tool close",title:"Close","aria-label":"Close",onclick:()=>h(!1)},"✕"),r=N("section",{id:"parameters",hidden:!0,"aria-label":"Parameters",onkeydown:f=>{f.key==="Escape"&&(f.stopPropagation(),h(!1))}},N("header",{},N("h2",{},"Parameters"),s),n),o=N("button",{id:"show-parameters",type:"button",className:"tool","aria-controls":"parameters","aria-expanded":"false",onclick:()=>h(r.hidden!==!1)},e?"Change and run":"Parameters");document.body.append(r),i.regions.header.querySelector(".gap")?.after(o);let a=!1,l=!1;async function c(){if(!a){if(a=!0,!e)return n.replaceChildren(...rx(i,""));n.replaceChildren(N("p",{className:"about",role:"status"},"Reading the model …"));try{let f=await e.form();n.replaceChildren(..."why"in f?rx(i,f.why):nT(i,e,f))}catch(f){a=!1,n.replaceChildren(N("p",{className:"wrong",role:"alert"},f instanceof Error?f.message:String(f)))}}}async function h(f){r.hidden=!f,document.body.classList.toggle("with-parameters",f),o.setAttribute("aria-expanded",String(f));let{panels:d}=i.regions;if(f&&innerWidth>1e3&&innerWidth<1500&&d.open("side")?d.set("side",!(l=!0)):!f&&l&&d.set("side",!(l=!1)),!f)return o.focus();s.focus(),await c(),document.activeElement===s&&n.querySelector(".field input, .field select")?.focus()}function u(){o.hidden=!e&&!i.block.head.parameters.length,o.hidden&&!r.hidden&&h(!1)}i.store.on(["record"],u),u()}function rx(i,t){let e=N("dl",{className:"values"});function n(){e.replaceChildren(...i.block.head.parameters.flatMap(({name:r,value:o,unit:a,text:l,formula:c})=>[N("dt",{},r),N("dd",{},N("span",{},a?`${o} ${a}`:o),N("small",{},[l,c].filter(Boolean).join("; ")))]))}i.store.on(["record"],n),n();let s=N("p",{className:"about",id:"how-to-run"});return s.append(...t?[t]:["This page contains computed results only. To change parameters and run the model, start it with ",N("code",{},"pitchline view MODEL.toml"),"."]),[e,s]}function nT(i,t,e){let n=new Set,s=sx({show:h,stop:()=>t.stop().then(a),save:u,called:f=>i.blocks[f]?.head.name??""},e),r=nx(e,async f=>{let d=await t.run(f);a(d),l()}),o=N("p",{className:"about"},`${e.source} is not changed. Changed models and results are saved under other names in ${e.folder}.`);for(let f of e.runs)s.tell(f);return e.runs.some(Gd)&&l(),[o,r.form,s.section];function a(f){n.has(f.run)||(Gd(f)||n.add(f.run),s.tell(f),r.free(!Gd(f)))}async function l(){try{let f;for await(let d of t.progress())a(f=d);f?.records.length&&(await c(),h(f,!1))}catch(f){r.show(f)}}async function c(){let f=await i.source.records();for(let d=i.blocks.length;d<f.length;d++)i.add(await i.source.block(d))}function h(f,d){let p=f.records[0];p>=i.blocks.length||i.store.set(d?{record:p,overlay:!0}:{record:p})}async function u(f,d,p,v){return(await t.save(f.run,d,p,v)).saved}}var Gd=i=>i.state==="running"||i.state==="stopping";var iT=60,sT=new Set(["Joints","Without a shape"]),rT=12;function oT(i){let{head:t}=i,e=new Map,n=(o,a)=>{let l=e.get(o)??new Map;e.set(o,l);let c=l.get(a.name);c?a.note&&!c.note&&(c.note=a.note):l.set(a.name,a)};t.bodies.forEach((o,a)=>{let l=o.parts.length?Nd(i,a):"",h=o.parts.find(f=>!f.name||f.name===o.name)?.note??(o.parts.length===1?o.parts[0].note??"":""),u=o.parts.length&&o.structure?`${o.structure} `:"";n(o.parts.length?o.group:"Without a shape",{name:o.name,text:u&&o.name.startsWith(u)?o.name.slice(u.length):o.name,colour:l,note:h,level:u?2:1});for(let f of o.parts)f.name&&f.name!==o.name&&f.kind!=="bearing"&&n(o.group,{name:f.name,colour:f.colour??"",note:f.note??"",level:o.structure?3:2})});let s=e.get("Without a shape");e.delete("Without a shape");for(let o of t.bodies)for(let a of o.parts)a.kind==="bearing"&&a.name&&n("Bearings",{name:a.name,colour:"",note:a.note??"",level:1});for(let o of t.pairs)n("Gear pairs",{name:o.name,colour:"",note:"",level:1});for(let o of t.joints)n("Joints",{name:o.name,colour:"",note:o.kind,level:1});for(let o of t.springs)o.kind!=="rod"&&n("Springs",{name:o.name,colour:"",note:o.kind,level:1});let r=new Set([...e.values()].flatMap(o=>[...o.keys()]));for(let o of t.arrows)o.group==="load"&&!r.has(o.of)&&n("Loads",{name:o.of,colour:"",note:"",level:1});return s&&e.set("Without a shape",s),new Map([...e].map(([o,a])=>[o,[...a.values()]]))}function ax(i){let{store:t,regions:e}=i,n=new Map,s=[],r=N("input",{id:"filter-parts",type:"search",placeholder:"filter parts","aria-label":"Filter parts",oninput:()=>v()}),o=N("div",{id:"tree",role:"tree","aria-label":"Parts"}),a=N("p",{className:"none",hidden:!0},"No part with this name.");e.parts.append(r,o,a);let l=(_,b)=>t.set({hidden:Ah(t.state.hidden,_,!b)});function c({name:_,text:b=_,colour:x,note:S,level:M}){let y=N("input",{type:"checkbox",tabIndex:-1,title:"Shown","aria-label":`Show ${_}`,onchange:()=>l([_],y.checked)}),w=N("i",{className:"chip"});x&&CSS.supports("color",x)&&(w.style.background=x);let I=N("button",{type:"button",className:"more",tabIndex:-1,"aria-label":`Actions for ${_}`,onclick:L=>{L.stopPropagation(),mo(i,_,L.clientX||C.getBoundingClientRect().right,L.clientY||C.getBoundingClientRect().bottom,C)}},"⋯"),C=N("div",{className:`part level-${M}`,role:"treeitem","aria-level":String(M+1),tabIndex:-1,title:_,"data-name":_},y,w,N("span",{className:"name"},b),...S?[N("span",{className:"note"},S)]:[],I);return n.set(_,{row:C,box:y}),C}function h(_){_.filled||(_.filled=!0,_.rows.append(..._.entries.map(c)),p())}function u(_,b){b&&h(_),_.open=b,_.rows.hidden=!b,_.header.setAttribute("aria-expanded",String(b))}function f(){n.clear(),s=[...oT(i.block)].map(([b,x])=>{let S=x.map(I=>I.name),M=N("input",{type:"checkbox",tabIndex:-1,"aria-label":`Show ${b}`,onchange:()=>l(S,M.checked),onclick:I=>I.stopPropagation()}),y=N("div",{className:"branch",role:"treeitem","aria-level":"1",tabIndex:-1,onclick:()=>u(w,!w.open)},N("i",{className:"fold-mark"}),M,N("span",{className:"name"},b),N("span",{className:"count"},String(x.length))),w={title:b,entries:x,open:!1,header:y,box:M,rows:N("div",{role:"group"}),filled:!1};return w}),o.replaceChildren(...s.flatMap(b=>[b.header,b.rows])),s.forEach(b=>u(b,b.entries.length<=iT&&!sT.has(b.title)));let _=o.querySelector("[role=treeitem]");_&&(_.tabIndex=0),r.hidden=s.reduce((b,x)=>b+x.entries.length,0)<rT,r.value="",a.hidden=!0,p()}let d="";function p(){let{hidden:_,selected:b,clear:x}=t.state;for(let[M,{row:y,box:w}]of n){let I=!_.has(M);w.checked!==I&&(w.checked=I),y.classList.toggle("clear",x.has(M))}for(let{entries:M,box:y}of s){let w=M.reduce((I,C)=>I+Number(_.has(C.name)),0);y.checked=w===0,y.indeterminate=w>0&&w<M.length}for(let M of[d,b])n.get(M)?.row.setAttribute("aria-selected",String(M===b&&M!==""));if(d===b)return;d=b;let S=s.find(M=>M.entries.some(y=>y.name===b));S&&!S.open&&!r.value&&u(S,!0),n.get(b)?.row.scrollIntoView({block:"nearest"})}function v(){let _=r.value.trim().toLowerCase(),b=0;for(let x of s){let S=x.entries.map(y=>!_||y.name.toLowerCase().includes(_)||y.note.toLowerCase().includes(_)||x.title.toLowerCase().includes(_)),M=S.filter(Boolean).length;b+=M,x.header.hidden=!M,_&&M&&u(x,!0),x.filled&&x.entries.forEach((y,w)=>{x.rows.children[w].hidden=!S[w]}),M?x.rows.hidden=!x.open:x.rows.hidden=!0}a.hidden=b>0}let g=()=>[...o.querySelectorAll("[role=treeitem]")].filter(_=>_.offsetParent!==null);function m(_){if(_){for(let b of o.querySelectorAll("[tabindex='0']"))b.tabIndex=-1;_.tabIndex=0,_.focus()}}o.addEventListener("click",_=>{let b=_.target,x=b.closest(".part");!x||b.matches("input, button")||(m(x),t.set({selected:x.dataset.name??""}))}),o.addEventListener("dblclick",_=>{let b=_.target.closest(".part");b&&i.world.views.zoomTo(b.dataset.name??"")}),o.addEventListener("contextmenu",_=>{let b=_.target.closest(".part");if(!b)return;_.preventDefault();let x=b.getBoundingClientRect(),S=_.clientX===0&&_.clientY===0;mo(i,b.dataset.name??"",S?x.left+20:_.clientX,S?x.bottom:_.clientY,b)}),o.addEventListener("keydown",_=>{let b=_.target.closest("[role=treeitem]");if(!b)return;let x=g(),S=x.indexOf(b),M=s.find(w=>w.header===b),y=b.querySelector("input");if(_.key==="ArrowDown")m(x[S+1]);else if(_.key==="ArrowUp")m(x[S-1]);else if(_.key==="Home")m(x[0]);else if(_.key==="End")m(x[x.length-1]);else if(_.key==="ArrowRight"&&M)u(M,!0);else if(_.key==="ArrowLeft")M?u(M,!1):m(s.find(w=>w.rows.contains(b))?.header);else if(_.key===" ")y.click();else if(_.key==="Enter"&&M)u(M,!M.open);else if(_.key==="Enter")t.set({selected:b.dataset.name??""});else if(!M&&(_.key==="ContextMenu"||_.key==="F10"&&_.shiftKey))mo(i,b.dataset.name??"",b.getBoundingClientRect().left+20,b.getBoundingClientRect().bottom,b);else return;_.preventDefault(),_.stopPropagation()}),t.on(["record"],()=>{let _=new Set(n.keys());f(),i.block.head.bodies.some(b=>_.has(b.name))||t.set({hidden:Sh(i.block),clear:new Set,selected:""})}),t.on(["hidden","clear","selected"],p),t.set({hidden:Sh(i.block)}),f()}var lx=2e3,aT=16;function Wd(i,t,e,n){let s=i.blocks[t],r=ze(s).get(e);return r?r.signal.values===void 0?i.source.live?cx(lT(i,t,e,n),n):null:cx({time:s.array(s.head.signal_time),...Vo(s,e)},n):null}function Xa(i,t,e,n){let s=Wd(i,t,e,n),r=ze(i.blocks[t]).get(e)?.unit??"",{degrees:o}=i.store.state;if(!s)return"—";if(s[0]===s[1]||Number.isNaN(s[0]))return Wa(s[0],r,o);let a=dr(r,Math.max(Math.abs(s[0]),Math.abs(s[1])),o);return`${bn(s[0]*a.factor)} … ${bn(s[1]*a.factor)} ${a.unit}`.trim()}function cx(i,t){if(!i)return null;let{time:e,low:n,high:s}=i,r=e.length,o=r>1?1e-9*(e[r-1]-e[0]):1/0;if(!r||t<e[0]-o||t>e[r-1]+o)return null;let{i:a,f:l}=Ke(e,t);if(l===0)return[n[a],s[a]];if(n===s){let c=n[a]+l*(n[a+1]-n[a]);return[c,c]}return[Math.min(n[a],n[a+1]),Math.max(s[a],s[a+1])]}var Hd=class{known=new Map;wanted=new Set;busy=!1},hx=new WeakMap;function lT(i,t,e,n){let s=i.blocks[t],r=hx.get(s);r||hx.set(s,r=new Hd);let o=r.known.get(e);if(o&&n>=o.from&&n<=o.to)return o;r.wanted.add(e),r.busy||(r.busy=!0,setTimeout(()=>ux(i,t,r),20))}async function ux(i,t,e){let{time:n}=i.blocks[t],{store:s,source:r}=i,o=n[0]??0,a=n[n.length-1]??0,l=[...e.wanted].slice(0,aT);for(let f of l)e.wanted.delete(f);let c=lx/2*((a-o)/Math.max(i.blocks[t].head.samples-1,1)),h=s.state.time-c,u=s.state.time+c;try{let f=await r.series(t,l,h,u,2*lx);l.forEach((d,p)=>e.known.set(d,{time:f.time,low:f.low[p],high:f.high[p],from:h,to:u})),s.set({arrived:s.state.arrived+1})}catch{e.wanted.clear()}e.wanted.size?setTimeout(()=>ux(i,t,e),0):e.busy=!1}var Xd=40,cT={gear:"Gear",rack:"Rack",shaft:"Shaft",bearing:"Bearing",housing:"Housing",cam:"Cam",roller:"Roller",coupling:"Coupling",bushing:"Bushing",mass:"Mass",shape:"Shape","stand-in":"Shape by its inertia"},hT={Bodies:"Body",Shafts:"Shaft",Beams:"Beam","Flexible bodies":"Flexible body",Ground:"Ground"};function uT(i){let{said:t}=i,n=[...(i.kind==="body"?i.said.parts.filter(r=>r.name===i.name||i.said.parts.length===1):[]).flatMap(r=>r.info??[]),...t.info??[]],s=i.kind==="joint"||i.kind==="spring"?["Kind","Bodies"]:[];return n.filter(([r,o],a)=>!s.includes(r)&&n.findIndex(([l,c])=>l===r&&c===o)===a)}function fx(i){let{store:t,regions:e}=i,n=N("section",{id:"selected","aria-label":"Selected part","aria-live":"off"});e.side.prepend(n);let s=[],r=!1,o=f=>N("button",{type:"button",className:"link",onclick:()=>t.set({selected:f})},f);function a(f){let d=S=>Jn(i.block,S)?o(S):S;if(f.kind==="pair")return[["Wheels",[d(f.said.wheel_a)," and ",d(f.said.wheel_b)]]];if(f.kind==="joint")return[["Between",[d(f.said.body)," and ",d(f.said.other)]]];if(f.kind==="spring")return[["Between",[d(f.said.a.body)," and ",d(f.said.b.body)]]];let{head:p}=i.block,v=f.kind==="part"?[f.name]:[f.name,...f.said.parts.flatMap(S=>S.name??[])],g=p.pairs.filter(S=>v.includes(S.wheel_a)||v.includes(S.wheel_b)),m=f.kind==="body"?p.joints.filter(S=>S.body===f.name||S.other===f.name):[],_=S=>S.slice(0,12).flatMap((M,y)=>[y?", ":"",o(M.name)]).concat(S.length>12?[` and ${S.length-12} more`]:[]),b=f.kind==="body"?[...new Set(f.said.parts.flatMap(S=>S.name&&S.name!==f.name?[S.name]:[]))].map(S=>({name:S})):[],x=[];return f.kind==="part"&&x.push(["On body",[o(f.body)]]),b.length&&x.push(["Carries",_(b)]),g.length&&x.push(["Gear pairs",_(g)]),m.length&&x.push(["Joints",_(m)]),x}function l(f){if(f.kind==="body")return hT[f.said.group]??f.said.group;if(f.kind==="part")return cT[f.said.kind]??f.said.kind;let d={pair:"Gear pair",joint:"Joint",spring:"Spring"}[f.kind];return f.said.kind&&f.said.kind!==d.toLowerCase()?`${d}, ${f.said.kind}`:d}function c(){let{selected:f}=t.state,d=Jn(i.block,f);if(s=[],n.classList.toggle("empty",!d&&!f),!d&&!f){n.replaceChildren(N("p",{className:"none"},"Click a part in the view or in the list to see its values."));return}let p=d?.kind==="body"?d.said.parts.flatMap(b=>b.note?[b.name&&b.name!==f?`${b.name}: ${b.note}`:b.note]:[]):d?.kind==="part"&&d.said.note?[d.said.note]:[],v=d?[...uT(d).map(([b,x])=>[b,[x]]),...a(d)]:[],g=`${f}.`,m=i.block.head.signals.filter(b=>b.name.startsWith(g)),_=m.slice(0,Xd).flatMap(b=>{let S=(b.components.length?b.components.map(y=>`${b.name}.${y}`):[b.name]).map(y=>{let w=N("span",{className:"value","data-signal":y});return s.push({name:y,cell:w}),w}),M=b.components.length?S.map((y,w)=>N("span",{},N("span",{className:"component"},b.components[w]),y)):S;return[N("dt",{title:b.description},b.name.slice(g.length).replaceAll("_"," ")),N("dd",{className:b.components.length?"vector":""},...M)]});n.replaceChildren(N("header",{},N("h2",{title:f},f),N("span",{className:"kind"},d?l(d):""),N("button",{type:"button",className:"close","aria-label":"Clear the selection",title:"Clear the selection (Esc)",onclick:()=>t.set({selected:""})},"×")),N("div",{className:"actions",role:"group","aria-label":"Actions"},...za(i,f).map(({id:b,text:x,key:S,on:M,run:y})=>N("button",{type:"button","data-action":b,title:S?`${x} (${S})`:x,"aria-pressed":String(M),onclick:y},x))),...p.length?[N("ul",{className:"notes"},...[...new Set(p)].map(b=>N("li",{},b)))]:[],...v.length?[N("dl",{className:"info"},...v.flatMap(([b,x])=>[N("dt",{},b),N("dd",{},...x)]))]:[],..._.length?[N("dl",{className:"values"},..._)]:[N("p",{className:"none"},"This part has no signals.")],...m.length>Xd?[N("p",{className:"none"},`And ${m.length-Xd} more signals: find them by name below.`)]:[]),h()}function h(){r=!1;for(let{name:f,cell:d}of s){let p=Xa(i,t.state.record,f,t.state.time);d.textContent!==p&&(d.textContent=p)}}function u(){for(let{id:f,on:d}of za(i,t.state.selected))n.querySelector(`[data-action="${f}"]`)?.setAttribute("aria-pressed",String(d))}t.on(["selected","record"],c),t.on(["hidden","clear","look"],u),t.on(["time","arrived","degrees"],()=>{r||!s.length||(r=!0,requestAnimationFrame(h))}),c()}var dx=new WeakMap;function fT(i){let t=dx.get(i);return t===void 0&&dx.set(i,t=`${i.name} ${i.signal.description} ${i.unit}`.toLowerCase()),t}function dT(i){let t=i.trim().toLowerCase().split(/\s+/).filter(Boolean).map(e=>{if(!e.includes("*"))return s=>fT(s).includes(e);let n=new RegExp(`^${e.replace(/[.+^${}()|[\]\\?]/g,"\\$&").replace(/\*+/g,".*")}$`);return s=>n.test(s.name.toLowerCase())});return e=>t.every(n=>n(e))}function qd(i,t){if(!t)return()=>!1;let e=i.head.pairs.filter(n=>[n.wheel_a,n.wheel_b,n.body_a,n.body_b].includes(t)).map(n=>n.name);return n=>n===t||n.startsWith(`${t}.`)||e.includes(n)}function px(i,t,e,n){let s=dT(t),r=qd(i,e),o=new Map,a=0;for(let h of ze(i).values()){if(!s(h))continue;a+=1;let u=o.get(h.part);u?u.push(h):o.set(h.part,[h])}let l=[...o].sort(([h],[u])=>Number(r(u))-Number(r(h))),c=[];for(let[h,u]of l){let f=t.trim()!==""||n(h,a);if(c.push({part:h,count:u.length,open:f,chosen:r(h)}),f)for(let d of u)c.push({part:h,curve:d})}return{rows:c,found:a}}var $s=22,pT=60,mT=3,gT=1e-12,xT=24;function mx(i){let{store:t,regions:e}=i,n=N("input",{id:"find",type:"search",placeholder:"find, e.g. *.normal_force","aria-label":"Find signals by name, description or unit; * matches any text","aria-controls":"signals",oninput:()=>{h=0,a.scrollTop=0,f()}}),s=N("span",{id:"found",role:"status"}),r=N("button",{id:"plot-found",type:"button",title:"Plot all matching signals, or none",onclick:()=>g()},"plot all"),o=N("div",{className:"all"}),a=N("div",{id:"signals",role:"tree",tabIndex:0,"aria-label":"Signals"},o);e.side.append(N("section",{id:"signal-panel","aria-label":"Signals"},N("h2",{},"Signals",s,r),n,a));let l=new Map,c=[],h=0,u=[];function f(){let{selected:x,curves:S}=t.state,M=qd(i.block,x),y=new Set(S.map(C=>ze(i.block).get(C.name)?.part)),w=ze(i.block).size,I=px(i.block,n.value,x,C=>l.get(C)??(w<=pT||M(C)||y.has(C)));c=I.rows,h=Math.min(h,Math.max(c.length-1,0)),s.textContent=n.value.trim()?`${I.found} of ${w}`:String(w),r.hidden=!n.value.trim()||!I.found||I.found>xT,o.style.height=`${Math.max(c.length,1)*$s}px`,d()}function d(){let x=Math.max(Math.floor(a.scrollTop/$s)-4,0),S=Math.min(Math.ceil((a.scrollTop+a.clientHeight)/$s)+4,c.length);u=[];let M=new Set(t.state.curves.map(w=>w.name)),y=[];for(let w=x;w<S;w++){let I=c[w],C=I.curve?v(I.curve,M):p(I);C.id=`signal-row-${w}`,C.classList.toggle("active",w===h),C.style.top=`${w*$s}px`,C.addEventListener("click",()=>{h=w,m(w)}),y.push(C)}c.length||y.push(N("p",{className:"none"},ze(i.block).size?"Nothing found.":"This record has no signals.")),o.replaceChildren(...y),c.length&&a.setAttribute("aria-activedescendant",`signal-row-${h}`),_()}function p({part:x,count:S,open:M,chosen:y}){return N("div",{className:`signal-part${y?" chosen":""}`,role:"treeitem","aria-level":"1","aria-expanded":String(M),title:x},N("i",{className:"arrow"}),N("span",{className:"name"},x||"model"),N("span",{className:"count"},String(S)))}function v(x,S){let M=S.has(x.name),y=N("input",{type:"checkbox",tabIndex:-1,checked:M,"aria-hidden":"true"}),w=N("output",{});u.push({name:x.name,out:w});let I=jh(x.unit);return N("div",{className:"signal",role:"treeitem","aria-level":"2","aria-checked":String(M),"aria-label":`${x.name}, ${x.signal.description}`,title:`${x.name}${I?` (${I})`:""}: ${x.signal.description}`},y,N("span",{className:"name"},x.own),w)}function g(){let{curves:x,record:S}=t.state,M=new Set(x.map(I=>I.name)),y=c.flatMap(I=>I.curve?[I.curve.name]:[]),w=y.filter(I=>!M.has(I));t.set({curves:w.length?[...x,...w.map(I=>({record:S,name:I}))]:x.filter(I=>!y.includes(I.name))})}function m(x){let S=c[x];if(S){if(S.curve){let{name:M}=S.curve,{curves:y,record:w}=t.state;t.set({curves:y.some(I=>I.name===M)?y.filter(I=>I.name!==M):[...y,{record:w,name:M}]});return}l.set(S.part,!S.open),f()}}function _(){let{time:x,record:S}=t.state;for(let{name:M,out:y}of u)y.textContent=Xa(i,S,M,x)}function b(x){h=Math.min(Math.max(x,0),c.length-1);let S=h*$s;S<a.scrollTop?a.scrollTop=S:S+$s>a.scrollTop+a.clientHeight&&(a.scrollTop=S+$s-a.clientHeight),d()}n.addEventListener("keydown",x=>{if(x.key==="ArrowDown"&&c.length){a.focus();let S=c.findIndex(M=>M.curve);b(Math.max(S,0)),x.preventDefault()}else x.key==="Escape"&&n.value&&(n.value="",f(),x.stopPropagation())}),a.addEventListener("keydown",x=>{let S=Math.max(Math.floor(a.clientHeight/$s)-1,1),M=c[h];if(x.key==="ArrowDown")b(h+1);else if(x.key==="ArrowUp")h===0?n.focus():b(h-1);else if(x.key==="PageDown")b(h+S);else if(x.key==="PageUp")b(h-S);else if(x.key==="Home")b(0);else if(x.key==="End")b(c.length-1);else if(x.key===" "||x.key==="Enter")m(h);else if(x.key==="ArrowRight"&&M&&!M.curve&&!M.open)m(h);else if(x.key==="ArrowLeft"&&M&&!M.curve&&M.open)m(h);else if(x.key==="ArrowLeft"&&M?.curve)b(c.findIndex(y=>!y.curve&&y.part===M.part));else if(x.key!=="ArrowRight"&&x.key!=="ArrowLeft")return;x.preventDefault()}),a.addEventListener("scroll",d),new ResizeObserver(d).observe(a),t.on(["selected"],()=>{h=0,a.scrollTop=0,f()}),t.on(["record","curves"],f),t.on(["time","arrived","degrees"],_),t.set({curves:Yd(i,t.state.record)}),f()}function $d(i,t){if(ze(i).get(t)?.signal.values===void 0)return!1;let{low:e,high:n}=Vo(i,t),s=r=>Math.abs(r)<gT;return e.every(s)&&n.every(s)}function Yd(i,t){let e=i.blocks[t],n=ze(e),s=e.head.pairs.map(o=>`${o.name}.normal_force`).filter(o=>n.has(o)&&!$d(e,o)).slice(0,mT),r=o=>[...n.keys()].filter(a=>a.endsWith(o)&&!$d(e,a)).slice(0,1);return s.length||(s=r(".transmission_error")),s.length||(s=[...n.values()].filter(o=>!o.signal.components.length&&!$d(e,o.name)).slice(0,1).map(o=>o.name)),s.length||(s=[...n.keys()].slice(0,1)),s.map(o=>({record:t,name:o}))}var yT="uplot",_T="u-hz",vT="u-vt",MT="u-title",bT="u-wrap",wT="u-under",ST="u-over",AT="u-axis",gr="u-off",TT="u-select",ET="u-cursor-x",CT="u-cursor-y",RT="u-cursor-pt",PT="u-legend",IT="u-live",NT="u-inline",LT="u-series",DT="u-marker",gx="u-label",FT="u-value",$a="width",Ya="height";var xx="bottom",yo="left",Zd="right",fp="#000",yx=fp+"0",Jd="mousemove",_x="mousedown",Kd="mouseup",vx="mouseenter",Mx="mouseleave",bx="dblclick",UT="resize",OT="scroll",wx="change",cu="dppxchange",dp="--",Ao=typeof window<"u",np=Ao?document:null,vo=Ao?window:null,kT=Ao?navigator:null,Pe,ru;function ip(){let i=devicePixelRatio;Pe!=i&&(Pe=i,ru&&rp(wx,ru,ip),ru=matchMedia(`(min-resolution: ${Pe-.001}dppx) and (max-resolution: ${Pe+.001}dppx)`),xr(wx,ru,ip),vo.dispatchEvent(new CustomEvent(cu)))}function gi(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function sp(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Ze(i,t,e){i.style[t]=e+"px"}function Oi(i,t,e,n){let s=np.createElement(i);return t!=null&&gi(s,t),e?.insertBefore(s,n),s}function Ai(i,t){return Oi("div",i,t)}var Sx=new WeakMap;function ns(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=Sx.get(i);r!=o&&(i.style.transform=r,Sx.set(i,r),t<0||e<0||t>n||e>s?gi(i,gr):sp(i,gr))}var Ax=new WeakMap;function Tx(i,t,e){let n=t+e,s=Ax.get(i);n!=s&&(Ax.set(i,n),i.style.background=t,i.style.borderColor=e)}var Ex=new WeakMap;function Cx(i,t,e,n){let s=t+""+e,r=Ex.get(i);s!=r&&(Ex.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var pp={passive:!0},BT={...pp,capture:!0};function xr(i,t,e,n){t.addEventListener(i,e,n?BT:pp)}function rp(i,t,e,n){t.removeEventListener(i,e,pp)}Ao&&ip();function ki(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:xi((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function ny(i){return(e,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(e[a])){r=a;break}for(let a=s;a>=n;a--)if(i(e[a])){o=a;break}return[r,o]}}var iy=i=>i!=null,sy=i=>i!=null&&i>0,fu=ny(iy),zT=ny(sy);function VT(i,t,e,n=0,s=!1){let r=s?zT:fu,o=s?sy:iy;[t,e]=r(i,t,e);let a=i[t],l=i[t];if(t>-1)if(n==1)a=i[t],l=i[e];else if(n==-1)a=i[e],l=i[t];else for(let c=t;c<=e;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??Ge,l??-Ge]}function du(i,t,e,n){let s=Ix(i),r=Ix(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?As:ry,a=s==1?xi:Ti,l=r==1?Ti:xi,c=a(o(Sn(i))),h=l(o(Sn(t))),u=Mo(e,c),f=Mo(e,h);return e==10&&(c<0&&(u=He(u,-c)),h<0&&(f=He(f,-h))),n||e==2?(i=u*s,t=f*r):(i=cy(i,u),t=pu(t,f)),[i,t]}function mp(i,t,e,n){let s=du(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var gp=.1,Rx={mode:3,pad:gp},Ja={pad:0,soft:null,mode:0},GT={min:Ja,max:Ja};function hu(i,t,e,n){return mu(e)?Px(i,t,e):(Ja.pad=e,Ja.soft=n?0:null,Ja.mode=n?3:0,Px(i,t,GT))}function Te(i,t){return i??t}function HT(i,t,e){for(t=Te(t,0),e=Te(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Px(i,t,e){let n=e.min,s=e.max,r=Te(n.pad,0),o=Te(s.pad,0),a=Te(n.hard,-Ge),l=Te(s.hard,Ge),c=Te(n.soft,Ge),h=Te(s.soft,-Ge),u=Te(n.mode,0),f=Te(s.mode,0),d=t-i,p=As(d),v=Kn(Sn(i),Sn(t)),g=As(v),m=Sn(g-p);(d<1e-24||m>10)&&(d=0,(i==0||t==0)&&(d=1e-24,u==2&&c!=Ge&&(r=0),f==2&&h!=-Ge&&(o=0)));let _=d||v||1e3,b=As(_),x=Mo(10,xi(b)),S=_*(d==0?i==0?.1:1:r),M=He(cy(i-S,x/10),24),y=i>=c&&(u==1||u==3&&M<=c||u==2&&M>=c)?c:Ge,w=Kn(a,M<y&&i>=y?y:Bi(y,M)),I=_*(d==0?t==0?.1:1:o),C=He(pu(t+I,x/10),24),L=t<=h&&(f==1||f==3&&C>=h||f==2&&C<=h)?h:-Ge,k=Bi(l,C>L&&t<=L?L:Kn(L,C));return w==k&&w==0&&(k=100),[w,k]}var WT=new Intl.NumberFormat(Ao?kT.language:"en-US"),xp=i=>WT.format(i),yi=Math,lu=yi.PI,Sn=yi.abs,xi=yi.floor,wn=yi.round,Ti=yi.ceil,Bi=yi.min,Kn=yi.max,Mo=yi.pow,Ix=yi.sign,As=yi.log10,ry=yi.log2,XT=(i,t=1)=>yi.sinh(i)*t,jd=(i,t=1)=>yi.asinh(i/t),Ge=1/0;function Nx(i){return(As((i^i>>31)-(i>>31))|0)+1}function op(i,t,e){return Bi(Kn(i,t),e)}function oy(i){return typeof i=="function"}function be(i){return oy(i)?i:()=>i}var qT=()=>{},ay=i=>i,ly=(i,t)=>t,$T=i=>null,Lx=i=>!0,Dx=(i,t)=>i==t,YT=/\.\d*?(?=9{6,}|0{6,})/gm,yr=i=>{if(uy(i)||Zs.has(i))return i;let t=`${i}`,e=t.match(YT);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${yr(s)}e${r}`}return He(i,n)};function pr(i,t){return yr(He(yr(i/t))*t)}function pu(i,t){return yr(Ti(yr(i/t))*t)}function cy(i,t){return yr(xi(yr(i/t))*t)}function He(i,t=0){if(uy(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return wn(n)/e}var Zs=new Map;function hy(i){return((""+i).split(".")[1]||"").length}function ja(i,t,e,n){let s=[],r=n.map(hy);for(let o=t;o<e;o++){let a=Sn(o),l=He(Mo(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),f=i==10?h:He(h,u);s.push(f),Zs.set(f,u)}}return s}var Ka={},yp=[],bo=[null,null],Ys=Array.isArray,uy=Number.isInteger,ZT=i=>i===void 0;function Fx(i){return typeof i=="string"}function mu(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function JT(i){return i!=null&&typeof i=="object"}var KT=Object.getPrototypeOf(Uint8Array),fy="__proto__";function wo(i,t=mu){let e;if(Ys(i)){let n=i.find(s=>s!=null);if(Ys(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=wo(i[s],t)}else e=i.slice()}else if(i instanceof KT)e=i.slice();else if(t(i)){e={};for(let n in i)n!=fy&&(e[n]=wo(i[n],t))}else e=i;return e}function gn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=fy&&(mu(i[s])?gn(i[s],wo(n[s])):i[s]=wo(n[s]))}return i}var jT=0,QT=1,tE=2;function eE(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function nE(i,t){if(rE(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return oE(o[0])||(o=sE(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),f=t?t[o][c]:QT,d=[];for(let p=0;p<h.length;p++){let v=h[p],g=r.get(l[p]);v===null?f!=jT&&(u[g]=v,f==tE&&d.push(g)):u[g]=v}eE(u,d,s),n.push(u)}}return n}var iE=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function sE(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function rE(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function oE(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Kn(1,xi((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var dy=["January","February","March","April","May","June","July","August","September","October","November","December"],py=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function my(i){return i.slice(0,3)}var aE=py.map(my),lE=dy.map(my),cE={MMMM:dy,MMM:lE,WWWW:py,WWW:aE};function qa(i){return(i<10?"0":"")+i}function hE(i){return(i<10?"00":i<100?"0":"")+i}var uE={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>qa(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>qa(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>qa(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>qa(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>qa(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>hE(i.getMilliseconds())};function _p(i,t){t=t||cE;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?uE[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var fE=new Intl.DateTimeFormat().resolvedOptions().timeZone;function dE(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==fE?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var gy=i=>i%1==0,uu=[1,2,2.5,5],pE=ja(10,-32,0,uu),xy=ja(10,0,32,uu),mE=xy.filter(gy),mr=pE.concat(xy),vp=`
`,yy="{YYYY}",Ux=vp+yy,_y="{M}/{D}",Za=vp+_y,ou=Za+"/{YY}",vy="{aa}",gE="{h}:{mm}",_o=gE+vy,Ox=vp+_o,kx=":{ss}",De=null;function My(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?ja(10,0,3,uu).filter(gy):ja(10,-3,0,uu)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,yy,De,De,De,De,De,De,1],[s*28,"{MMM}",Ux,De,De,De,De,De,1],[s,_y,Ux,De,De,De,De,De,1],[n,"{h}"+vy,ou,De,Za,De,De,De,1],[e,_o,ou,De,Za,De,De,De,1],[t,kx,ou+" "+_o,De,Za+" "+_o,De,Ox,De,1],[i,kx+".{fff}",ou+" "+_o,De,Za+" "+_o,De,Ox,De,1]];function h(u){return(f,d,p,v,g,m)=>{let _=[],b=g>=o,x=g>=r&&g<o,S=u(p),M=He(S*i,3),y=Qd(S.getFullYear(),b?0:S.getMonth(),x||b?1:S.getDate()),w=He(y*i,3);if(x||b){let I=x?g/r:0,C=b?g/o:0,L=M==w?M:He(Qd(y.getFullYear()+C,y.getMonth()+I,1)*i,3),k=new Date(wn(L/i)),F=k.getFullYear(),E=k.getMonth();for(let z=0;L<=v;z++){let X=Qd(F+C*z,E+I*z,1),V=X-u(He(X*i,3));L=He((+X+V)*i,3),L<=v&&_.push(L)}}else{let I=g>=s?s:g,C=xi(p)-xi(M),L=w+C+pu(M-w,I);_.push(L);let k=u(L),F=k.getHours()+k.getMinutes()/e+k.getSeconds()/n,E=g/n,z=f.axes[d]._space,X=m/z;for(;L=He(L+g,i==1?0:3),!(L>v);)if(E>1){let V=xi(He(F+E,6))%24,K=u(L).getHours()-V;K>1&&(K=-1),L-=K*n,F=(F+E)%24;let et=_[_.length-1];He((L-et)/g,3)*X>=.7&&_.push(L)}else _.push(L)}return _}}return[l,c,h]}var[xE,yE,_E]=My(1),[vE,ME,bE]=My(.001);ja(2,-53,53,[1]);function Bx(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function zx(i,t){return(e,n,s,r,o)=>{let a=t.find(p=>o>=p[0])||t[t.length-1],l,c,h,u,f,d;return n.map(p=>{let v=i(p),g=v.getFullYear(),m=v.getMonth(),_=v.getDate(),b=v.getHours(),x=v.getMinutes(),S=v.getSeconds(),M=g!=l&&a[2]||m!=c&&a[3]||_!=h&&a[4]||b!=u&&a[5]||x!=f&&a[6]||S!=d&&a[7]||a[1];return l=g,c=m,h=_,u=b,f=x,d=S,M(v)})}}function wE(i,t){let e=_p(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function Qd(i,t,e){return new Date(i,t,e)}function Vx(i,t){return t(i)}var SE="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Gx(i,t){return(e,n,s,r)=>r==null?dp:t(i(n))}function AE(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function TE(i,t){return i.series[t].fill(i,t)}var EE={show:!0,live:!0,isolate:!1,mount:qT,markers:{show:!0,width:2,stroke:AE,fill:TE,dash:"solid"},idx:null,idxs:null,values:[]};function CE(i,t){let e=i.cursor.points,n=Ai(),s=e.size(i,t);Ze(n,$a,s),Ze(n,Ya,s);let r=s/-2;Ze(n,"marginLeft",r),Ze(n,"marginTop",r);let o=e.width(i,t,s);return o&&Ze(n,"borderWidth",o),n}function RE(i,t){let e=i.series[t].points;return e._fill||e._stroke}function PE(i,t){let e=i.series[t].points;return e._stroke||e._fill}function IE(i,t){return i.series[t].points.size}var tp=[0,0];function NE(i,t,e){return tp[0]=t,tp[1]=e,tp}function au(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function ep(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var LE={show:!0,x:!0,y:!0,lock:!1,move:NE,points:{one:!1,show:CE,size:IE,width:0,stroke:PE,fill:RE},bind:{mousedown:au,mouseup:au,click:au,dblclick:au,mousemove:ep,mouseleave:ep,mouseenter:ep},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},by={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Mp=gn({},by,{filter:ly}),wy=gn({},Mp,{size:10}),Sy=gn({},by,{show:!1}),bp='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ay="bold "+bp,Ty=1.5,Hx={show:!0,scale:"x",stroke:fp,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ay,side:2,grid:Mp,ticks:wy,border:Sy,font:bp,lineGap:Ty,rotate:0},DE="Value",FE="Time",Wx={show:!0,scale:"x",auto:!1,sorted:1,min:Ge,max:-Ge,idxs:[]};function UE(i,t,e,n,s){return t.map(r=>r==null?"":xp(r))}function OE(i,t,e,n,s,r,o){let a=[],l=Zs.get(s)||0;e=o?e:He(pu(e,s),l);for(let c=e;c<=n;c=He(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function ap(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?As:ry,h=xi(c(e));s=Mo(l,h),l==10&&(s=mr[ki(s,mr)]);let u=e,f=s*l;l==10&&(f=mr[ki(f,mr)]);do a.push(u),u=u+s,l==10&&!Zs.has(u)&&(u=He(u,Zs.get(s))),u>=f&&(s=u,f=s*l,l==10&&(f=mr[ki(f,mr)]));while(u<=n);return a}function kE(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?ap(i,t,Kn(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?ap(i,t,Kn(l,-n),-e,s):[l]).reverse().map(f=>-f).concat(h,c)}var Ey=/./,BE=/[12357]/,zE=/[125]/,Xx=/1/,lp=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function VE(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?Ey:l(7,o)-h>=c?BE:l(5,o)-h>=c?zE:Xx;if(u==Xx){let f=Sn(l(1,o)-h);if(f<c)return lp(t.slice().reverse(),a.distr,u,Ti(c/f)).reverse()}return lp(t,a.distr,u,1)}function GE(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=Sn(l(1,o)-l(2,o));return c<a?lp(t.slice().reverse(),3,Ey,Ti(a/c)).reverse():t}function HE(i,t,e,n){return n==null?dp:t==null?"":xp(t)}var qx={show:!0,scale:"y",stroke:fp,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ay,side:3,grid:Mp,ticks:wy,border:Sy,font:bp,lineGap:Ty,rotate:0};function WE(i,t){let e=3+(i||1)*2;return He(e*t,3)}function XE(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=Sn(o-r),l=i.series[t],c=a/(l.points.space*Pe);return n[1]-n[0]<=c}var $x={scale:null,auto:!0,sorted:0,min:Ge,max:-Ge},Cy=(i,t,e,n,s)=>s,Yx={show:!0,auto:!0,sorted:0,gaps:Cy,alpha:1,facets:[gn({},$x,{scale:"x"}),gn({},$x,{scale:"y"})]},Zx={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Cy,alpha:1,points:{show:XE,filter:null},values:null,min:Ge,max:-Ge,idxs:[],path:null,clip:null};function qE(i,t,e,n,s){return e/10}var Ry={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},$E=gn({},Ry,{time:!1,ori:1}),Jx={};function Py(i,t){let e=Jx[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Jx[i]=e)),e}var So=1,cp=2;function _r(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],f=a.left,d=a.top,p=a.width,v=a.height,g=i.valToPosH,m=i.valToPosV;return h.ori==0?e(s,l,c,h,u,g,m,f,d,p,v,xu,To,_u,Ny,Dy):e(s,l,c,h,u,m,g,d,f,v,p,yu,Eo,Ap,Ly,Fy)}function wp(i,t){let e=0,n=0,s=Te(i.bands,yp);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function YE(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function Ts(i,t,e,n,s,r){return _r(i,t,(o,a,l,c,h,u,f,d,p,v,g)=>{let m=o.pxRound,_=c.dir*(c.ori==0?1:-1),b=c.ori==0?To:Eo,x,S;_==1?(x=e,S=n):(x=n,S=e);let M=m(u(a[x],c,v,d)),y=m(f(l[x],h,g,p)),w=m(u(a[S],c,v,d)),I=m(f(r==1?h.max:h.min,h,g,p)),C=new Path2D(s);return b(C,w,I),b(C,M,I),b(C,M,y),C})}function gu(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?_u:Ap,l=e;for(let u=0;u<i.length;u++){let f=i[u];if(f[1]>f[0]){let d=f[0]-l;d>0&&a(o,l,n,d,n+r),l=f[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function ZE(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function Sp(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let u=c,f=c;if(s==1)for(;++c<=n&&t[c]===null;)f=c;else for(;--c>=e&&t[c]===null;)f=c;let d=r(i[u]),p=f==u?d:r(i[f]),v=u-s;d=o<=0&&v>=0&&v<l?r(i[v]):d;let m=f+s;p=o>=0&&m>=0&&m<l?r(i[m]):p,p>=d&&a.push([d,p])}return a}function Kx(i){return i==0?ay:i==1?wn:t=>pr(t,i)}function Iy(i){let t=i==0?xu:yu,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=Bi(c,a/2,l/2),h=Bi(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var xu=(i,t,e)=>{i.moveTo(t,e)},yu=(i,t,e)=>{i.moveTo(e,t)},To=(i,t,e)=>{i.lineTo(t,e)},Eo=(i,t,e)=>{i.lineTo(e,t)},_u=Iy(0),Ap=Iy(1),Ny=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},Ly=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Dy=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},Fy=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function Uy(i){return(t,e,n,s,r)=>_r(t,e,(o,a,l,c,h,u,f,d,p,v,g)=>{let{pxRound:m,points:_}=o,b,x;c.ori==0?(b=xu,x=Ny):(b=yu,x=Ly);let S=He(_.width*Pe,3),M=(_.size-_.width)/2*Pe,y=He(M*2,3),w=new Path2D,I=new Path2D,{left:C,top:L,width:k,height:F}=t.bbox;_u(I,C-y,L-y,k+y*2,F+y*2);let E=z=>{if(l[z]!=null){let X=m(u(a[z],c,v,d)),V=m(f(l[z],h,g,p));b(w,X+M,V),x(w,X,V,M,0,lu*2)}};if(r)r.forEach(E);else for(let z=n;z<=s;z++)E(z);return{stroke:S>0?w:null,fill:w,clip:I,flags:So|cp}})}function Oy(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var JE=Oy(To),KE=Oy(Eo);function ky(i){let t=Te(i?.alignGaps,0);return(e,n,s,r)=>_r(e,n,(o,a,l,c,h,u,f,d,p,v,g)=>{[s,r]=fu(l,s,r);let m=o.pxRound,_=F=>m(u(F,c,v,d)),b=F=>m(f(F,h,g,p)),x,S;c.ori==0?(x=To,S=JE):(x=Eo,S=KE);let M=c.dir*(c.ori==0?1:-1),y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:So},w=y.stroke,I=!1;if(r-s>=v*4){let F=at=>e.posToVal(at,c.key,!0),E=null,z=null,X,V,rt,Y=_(a[M==1?s:r]),K=_(a[s]),et=_(a[r]),ht=F(M==1?K+1:et-1);for(let at=M==1?s:r;at>=s&&at<=r;at+=M){let Q=a[at],xt=(M==1?Q<ht:Q>ht)?Y:_(Q),dt=l[at];xt==Y?dt!=null?(V=dt,E==null?(x(w,xt,b(V)),X=E=z=V):V<E?E=V:V>z&&(z=V)):dt===null&&(I=!0):(E!=null&&S(w,Y,b(E),b(z),b(X),b(V)),dt!=null?(V=dt,x(w,xt,b(V)),E=z=X=V):(E=z=null,dt===null&&(I=!0)),Y=xt,ht=F(Y+M))}E!=null&&E!=z&&rt!=Y&&S(w,Y,b(E),b(z),b(X),b(V))}else for(let F=M==1?s:r;F>=s&&F<=r;F+=M){let E=l[F];E===null?I=!0:E!=null&&x(w,_(a[F]),b(E))}let[L,k]=wp(e,n);if(o.fill!=null||L!=0){let F=y.fill=new Path2D(w),E=o.fillTo(e,n,o.min,o.max,L),z=b(E),X=_(a[s]),V=_(a[r]);M==-1&&([V,X]=[X,V]),x(F,V,z),x(F,X,z)}if(!o.spanGaps){let F=[];I&&F.push(...Sp(a,l,s,r,M,_,t)),y.gaps=F=o.gaps(e,n,s,r,F),y.clip=gu(F,c.ori,d,p,v,g)}return k!=0&&(y.band=k==2?[Ts(e,n,s,r,w,-1),Ts(e,n,s,r,w,1)]:Ts(e,n,s,r,w,k)),y})}function jE(i){let t=Te(i.align,1),e=Te(i.ascDesc,!1),n=Te(i.alignGaps,0),s=Te(i.extend,!1);return(r,o,a,l)=>_r(r,o,(c,h,u,f,d,p,v,g,m,_,b)=>{[a,l]=fu(u,a,l);let x=c.pxRound,{left:S,width:M}=r.bbox,y=K=>x(p(K,f,_,g)),w=K=>x(v(K,d,b,m)),I=f.ori==0?To:Eo,C={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:So},L=C.stroke,k=f.dir*(f.ori==0?1:-1),F=w(u[k==1?a:l]),E=y(h[k==1?a:l]),z=E,X=E;s&&t==-1&&(X=S,I(L,X,F)),I(L,E,F);for(let K=k==1?a:l;K>=a&&K<=l;K+=k){let et=u[K];if(et==null)continue;let ht=y(h[K]),at=w(et);t==1?I(L,ht,F):I(L,z,at),I(L,ht,at),F=at,z=ht}let V=z;s&&t==1&&(V=S+M,I(L,V,F));let[rt,Y]=wp(r,o);if(c.fill!=null||rt!=0){let K=C.fill=new Path2D(L),et=c.fillTo(r,o,c.min,c.max,rt),ht=w(et);I(K,V,ht),I(K,X,ht)}if(!c.spanGaps){let K=[];K.push(...Sp(h,u,a,l,k,y,n));let et=c.width*Pe/2,ht=e||t==1?et:-et,at=e||t==-1?-et:et;K.forEach(Q=>{Q[0]+=ht,Q[1]+=at}),C.gaps=K=c.gaps(r,o,a,l,K),C.clip=gu(K,f.ori,g,m,_,b)}return Y!=0&&(C.band=Y==2?[Ts(r,o,a,l,L,-1),Ts(r,o,a,l,L,1)]:Ts(r,o,a,l,L,Y)),C})}function jx(i,t,e,n,s,r,o=Ge){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=Sn(i[l]-i[a]);h<c&&(c=h,o=Sn(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function QE(i){i=i||Ka;let t=Te(i.size,[.6,Ge,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=be(s),o=1-t[0],a=Te(t[1],Ge),l=Te(t[2],1),c=Te(i.disp,Ka),h=Te(i.each,d=>{}),{fill:u,stroke:f}=c;return(d,p,v,g)=>_r(d,p,(m,_,b,x,S,M,y,w,I,C,L)=>{let k=m.pxRound,F=e,E=n*Pe,z=a*Pe,X=l*Pe,V,rt;x.ori==0?[V,rt]=r(d,p):[rt,V]=r(d,p);let Y=x.dir*(x.ori==0?1:-1),K=x.ori==0?_u:Ap,et=x.ori==0?h:(Rt,$t,oe,St,Ve,Vt,qt)=>{h(Rt,$t,oe,Ve,St,qt,Vt)},ht=Te(d.bands,yp).find(Rt=>Rt.series[0]==p),at=ht!=null?ht.dir:0,Q=m.fillTo(d,p,m.min,m.max,at),gt=k(y(Q,S,L,I)),xt,dt,_t,Gt=C,jt=k(m.width*Pe),Ut=!1,ae=null,le=null,ie=null,xe=null;u!=null&&(jt==0||f!=null)&&(Ut=!0,ae=u.values(d,p,v,g),le=new Map,new Set(ae).forEach(Rt=>{Rt!=null&&le.set(Rt,new Path2D)}),jt>0&&(ie=f.values(d,p,v,g),xe=new Map,new Set(ie).forEach(Rt=>{Rt!=null&&xe.set(Rt,new Path2D)})));let{x0:we,size:tn}=c;if(we!=null&&tn!=null){F=1,_=we.values(d,p,v,g),we.unit==2&&(_=_.map(oe=>d.posToVal(w+oe*C,x.key,!0)));let Rt=tn.values(d,p,v,g);tn.unit==2?dt=Rt[0]*C:dt=M(Rt[0],x,C,w)-M(0,x,C,w),Gt=jx(_,b,M,x,C,w,Gt),_t=Gt-dt+E}else Gt=jx(_,b,M,x,C,w,Gt),_t=Gt*o+E,dt=Gt-_t;_t<1&&(_t=0),jt>=dt/2&&(jt=0),_t<5&&(k=ay);let ke=_t>0,An=Gt-_t-(ke?jt:0);dt=k(op(An,X,z)),xt=(F==0?dt/2:F==Y?0:dt)-F*Y*((F==0?E/2:0)+(ke?jt/2:0));let Se={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},yn=Ut?null:new Path2D,en=null;if(ht!=null)en=d.data[ht.series[1]];else{let{y0:Rt,y1:$t}=c;Rt!=null&&$t!=null&&(b=$t.values(d,p,v,g),en=Rt.values(d,p,v,g))}let cn=V*dt,H=rt*dt;for(let Rt=Y==1?v:g;Rt>=v&&Rt<=g;Rt+=Y){let $t=b[Rt];if($t==null)continue;if(en!=null){let $=en[Rt]??0;if($t-$==0)continue;gt=y($,S,L,I)}let oe=x.distr!=2||c!=null?_[Rt]:Rt,St=M(oe,x,C,w),Ve=y(Te($t,Q),S,L,I),Vt=k(St-xt),qt=k(Kn(Ve,gt)),U=k(Bi(Ve,gt)),T=qt-U;if($t!=null){let $=$t<0?H:cn,ft=$t<0?cn:H;Ut?(jt>0&&ie[Rt]!=null&&K(xe.get(ie[Rt]),Vt,U+xi(jt/2),dt,Kn(0,T-jt),$,ft),ae[Rt]!=null&&K(le.get(ae[Rt]),Vt,U+xi(jt/2),dt,Kn(0,T-jt),$,ft)):K(yn,Vt,U+xi(jt/2),dt,Kn(0,T-jt),$,ft),et(d,p,Rt,Vt-jt/2,U,dt+jt,T)}}return jt>0?Se.stroke=Ut?xe:yn:Ut||(Se._fill=m.width==0?m._fill:m._stroke??m._fill,Se.width=0),Se.fill=Ut?le:yn,Se})}function tC(i,t){let e=Te(t?.alignGaps,0);return(n,s,r,o)=>_r(n,s,(a,l,c,h,u,f,d,p,v,g,m)=>{[r,o]=fu(c,r,o);let _=a.pxRound,b=V=>_(f(V,h,g,p)),x=V=>_(d(V,u,m,v)),S,M,y;h.ori==0?(S=xu,y=To,M=Dy):(S=yu,y=Eo,M=Fy);let w=h.dir*(h.ori==0?1:-1),I=b(l[w==1?r:o]),C=I,L=[],k=[];for(let V=w==1?r:o;V>=r&&V<=o;V+=w)if(c[V]!=null){let Y=l[V],K=b(Y);L.push(C=K),k.push(x(c[V]))}let F={stroke:i(L,k,S,y,M,_),fill:null,clip:null,band:null,gaps:null,flags:So},E=F.stroke,[z,X]=wp(n,s);if(a.fill!=null||z!=0){let V=F.fill=new Path2D(E),rt=a.fillTo(n,s,a.min,a.max,z),Y=x(rt);y(V,C,Y),y(V,I,Y)}if(!a.spanGaps){let V=[];V.push(...Sp(l,c,r,o,w,b,e)),F.gaps=V=a.gaps(n,s,r,o,V),F.clip=gu(V,h.ori,p,v,g,m)}return X!=0&&(F.band=X==2?[Ts(n,s,r,o,E,-1),Ts(n,s,r,o,E,1)]:Ts(n,s,r,o,E,X)),F})}function eC(i){return tC(nC,i)}function nC(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let f=0;f<o-1;f++)h[f]=t[f+1]-t[f],u[f]=i[f+1]-i[f],c[f]=h[f]/u[f];l[0]=c[0];for(let f=1;f<o-1;f++)c[f]===0||c[f-1]===0||c[f-1]>0!=c[f]>0?l[f]=0:(l[f]=3*(u[f-1]+u[f])/((2*u[f]+u[f-1])/c[f-1]+(u[f]+2*u[f-1])/c[f]),isFinite(l[f])||(l[f]=0));l[o-1]=c[o-2];for(let f=0;f<o-1;f++)s(a,i[f]+u[f]/3,t[f]+l[f]*u[f]/3,i[f+1]-u[f]/3,t[f+1]-l[f+1]*u[f]/3,i[f+1],t[f+1])}return a}var hp=new Set;function Qx(){for(let i of hp)i.syncRect(!0)}Ao&&(xr(UT,vo,Qx),xr(OT,vo,Qx,!0),xr(cu,vo,()=>{xn.pxRatio=Pe}));var iC=ky(),sC=Uy();function ty(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>up(r,o,t,e))}function rC(i,t){return i.map((e,n)=>n==0?{}:gn({},t,e))}function up(i,t,e,n){return gn({},t==0?e:n,i)}function By(i,t,e){return t==null?bo:[t,e]}var oC=By;function aC(i,t,e){return t==null?bo:hu(t,e,gp,!0)}function zy(i,t,e,n){return t==null?bo:du(t,e,i.scales[n].log,!1)}var lC=zy;function Vy(i,t,e,n){return t==null?bo:mp(t,e,i.scales[n].log,!1)}var cC=Vy;function hC(i,t,e,n,s){let r=Kn(Nx(i),Nx(t)),o=t-i,a=ki(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?Zs.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function ey(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=wn((e=+s)*Pe))+"px"),[i,t,e]}function uC(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=He(t[2]*Pe,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function xn(i,t,e){let n={mode:Te(i.mode,1)},s=n.mode;function r(A,R,O,B){let q=R.valToPct(A);return B+O*(R.dir==-1?1-q:q)}function o(A,R,O,B){let q=R.valToPct(A);return B+O*(R.dir==-1?q:1-q)}function a(A,R,O,B){return R.ori==0?r(A,R,O,B):o(A,R,O,B)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=Ai(yT);if(i.id!=null&&(c.id=i.id),gi(c,i.class),i.title){let A=Ai(MT,c);A.textContent=i.title}let h=Oi("canvas"),u=n.ctx=h.getContext("2d"),f=Ai(bT,c);xr("click",f,A=>{A.target===p&&(Xe!=Cr||Je!=Rr)&&Ln.click(n,A)},!0);let d=n.under=Ai(wT,f);f.appendChild(h);let p=n.over=Ai(ST,f);i=wo(i);let v=+Te(i.pxAlign,1),g=Kx(v);(i.plugins||[]).forEach(A=>{A.opts&&(i=A.opts(n,i)||i)});let m=i.ms||.001,_=n.series=s==1?ty(i.series||[],Wx,Zx,!1):rC(i.series||[null],Yx),b=n.axes=ty(i.axes||[],Hx,qx,!0),x=n.scales={},S=n.bands=i.bands||[];S.forEach(A=>{A.fill=be(A.fill||null),A.dir=Te(A.dir,-1)});let M=s==2?_[1].facets[0].scale:_[0].scale,y={axes:os,series:me},w=(i.drawOrder||["axes","series"]).map(A=>y[A]);function I(A){let R=A.distr==3?O=>As(O>0?O:A.clamp(n,O,A.min,A.max,A.key)):A.distr==4?O=>jd(O,A.asinh):A.distr==100?O=>A.fwd(O):O=>O;return O=>{let B=R(O),{_min:q,_max:j}=A,ct=j-q;return(B-q)/ct}}function C(A){let R=x[A];if(R==null){let O=(i.scales||Ka)[A]||Ka;if(O.from!=null){C(O.from);let B=gn({},x[O.from],O,{key:A});B.valToPct=I(B),x[A]=B}else{R=x[A]=gn({},A==M?Ry:$E,O),R.key=A;let B=R.time,q=R.range,j=Ys(q);if((A!=M||s==2&&!B)&&(j&&(q[0]==null||q[1]==null)&&(q={min:q[0]==null?Rx:{mode:1,hard:q[0],soft:q[0]},max:q[1]==null?Rx:{mode:1,hard:q[1],soft:q[1]}},j=!1),!j&&mu(q))){let ct=q;q=(pt,bt,Lt)=>bt==null?bo:hu(bt,Lt,ct)}R.range=be(q||(B?oC:A==M?R.distr==3?lC:R.distr==4?cC:By:R.distr==3?zy:R.distr==4?Vy:aC)),R.auto=be(j?!1:R.auto),R.clamp=be(R.clamp||qE),R._min=R._max=null,R.valToPct=I(R)}}}C("x"),C("y"),s==1&&_.forEach(A=>{C(A.scale)}),b.forEach(A=>{C(A.scale)});for(let A in i.scales)C(A);let L=x[M],k=L.distr,F,E;L.ori==0?(gi(c,_T),F=r,E=o):(gi(c,vT),F=o,E=r);let z={};for(let A in x){let R=x[A];(R.min!=null||R.max!=null)&&(z[A]={min:R.min,max:R.max},R.min=R.max=null)}let X=i.tzDate||(A=>new Date(wn(A/m))),V=i.fmtDate||_p,rt=m==1?_E(X):bE(X),Y=zx(X,Bx(m==1?yE:ME,V)),K=Gx(X,Vx(SE,V)),et=[],ht=n.legend=gn({},EE,i.legend),at=n.cursor=gn({},LE,{drag:{y:s==2}},i.cursor),Q=ht.show,gt=at.show,xt=ht.markers;ht.idxs=et,xt.width=be(xt.width),xt.dash=be(xt.dash),xt.stroke=be(xt.stroke),xt.fill=be(xt.fill);let dt,_t,Gt,jt=[],Ut=[],ae,le=!1,ie={};if(ht.live){let A=_[1]?_[1].values:null;le=A!=null,ae=le?A(n,1,0):{_:0};for(let R in ae)ie[R]=dp}if(Q)if(dt=Oi("table",PT,c),Gt=Oi("tbody",null,dt),ht.mount(n,dt),le){_t=Oi("thead",null,dt,Gt);let A=Oi("tr",null,_t);Oi("th",null,A);for(var xe in ae)Oi("th",gx,A).textContent=xe}else gi(dt,NT),ht.live&&gi(dt,IT);let we={show:!0},tn={show:!1};function ke(A,R){if(R==0&&(le||!ht.live||s==2))return bo;let O=[],B=Oi("tr",LT,Gt,Gt.childNodes[R]);gi(B,A.class),A.show||gi(B,gr);let q=Oi("th",null,B);if(xt.show){let pt=Ai(DT,q);if(R>0){let bt=xt.width(n,R);bt&&(pt.style.border=bt+"px "+xt.dash(n,R)+" "+xt.stroke(n,R)),pt.style.background=xt.fill(n,R)}}let j=Ai(gx,q);A.label instanceof HTMLElement?j.appendChild(A.label):j.textContent=A.label,R>0&&(xt.show||(j.style.color=A.width>0?xt.stroke(n,R):xt.fill(n,R)),Se("click",q,pt=>{if(at._lock)return;Qt(pt);let bt=_.indexOf(A);if((pt.ctrlKey||pt.metaKey)!=ht.isolate){let Lt=_.some((Dt,Ot)=>Ot>0&&Ot!=bt&&Dt.show);_.forEach((Dt,Ot)=>{Ot>0&&Hi(Ot,Lt?Ot==bt?we:tn:we,!0,dn.setSeries)})}else Hi(bt,{show:!A.show},!0,dn.setSeries)},!1),te&&Se(vx,q,pt=>{at._lock||(Qt(pt),Hi(_.indexOf(A),Ir,!0,dn.setSeries))},!1));for(var ct in ae){let pt=Oi("td",FT,B);pt.textContent="--",O.push(pt)}return[B,O]}let An=new Map;function Se(A,R,O,B=!0){let q=An.get(R)||{},j=at.bind[A](n,R,O,B);j&&(xr(A,R,q[A]=j),An.set(R,q))}function yn(A,R,O){let B=An.get(R)||{};for(let q in B)(A==null||q==A)&&(rp(q,R,B[q]),delete B[q]);A==null&&An.delete(R)}let en=0,cn=0,H=0,Rt=0,$t=0,oe=0,St=$t,Ve=oe,Vt=H,qt=Rt,U=0,T=0,$=0,ft=0;n.bbox={};let lt=!1,vt=!1,Mt=!1,nt=!1,st=!1,mt=!1;function G(A,R,O){(O||A!=n.width||R!=n.height)&&ot(A,R),ue(!1),Mt=!0,vt=!0,Un()}function ot(A,R){n.width=en=H=A,n.height=cn=Rt=R,$t=oe=0,wt(),Ht();let O=n.bbox;U=O.left=pr($t*Pe,.5),T=O.top=pr(oe*Pe,.5),$=O.width=pr(H*Pe,.5),ft=O.height=pr(Rt*Pe,.5)}let it=3;function At(){let A=!1,R=0;for(;!A;){R++;let O=Ar(R),B=Gi(R);A=R==it||O&&B,A||(ot(n.width,n.height),vt=!0)}}function yt({width:A,height:R}){G(A,R)}n.setSize=yt;function wt(){let A=!1,R=!1,O=!1,B=!1;b.forEach((q,j)=>{if(q.show&&q._show){let{side:ct,_size:pt}=q,bt=ct%2,Lt=q.label!=null?q.labelSize:0,Dt=pt+Lt;Dt>0&&(bt?(H-=Dt,ct==3?($t+=Dt,B=!0):O=!0):(Rt-=Dt,ct==0?(oe+=Dt,A=!0):R=!0))}}),zi[0]=A,zi[1]=O,zi[2]=R,zi[3]=B,H-=Ei[1]+Ei[3],$t+=Ei[3],Rt-=Ei[2]+Ei[0],oe+=Ei[0]}function Ht(){let A=$t+H,R=oe+Rt,O=$t,B=oe;function q(j,ct){switch(j){case 1:return A+=ct,A-ct;case 2:return R+=ct,R-ct;case 3:return O-=ct,O+ct;case 0:return B-=ct,B+ct}}b.forEach((j,ct)=>{if(j.show&&j._show){let pt=j.side;j._pos=q(pt,j._size),j.label!=null&&(j._lpos=q(pt,j.labelSize))}})}if(at.dataIdx==null){let A=at.hover,R=A.skip=new Set(A.skip??[]);R.add(void 0);let O=A.prox=be(A.prox),B=A.bias??=0;at.dataIdx=(q,j,ct,pt)=>{if(j==0)return ct;let bt=ct,Lt=O(q,j,ct,pt)??Ge,Dt=Lt>=0&&Lt<Ge,Ot=L.ori==0?H:Rt,re=at.left,Ee=t[0],Ae=t[j];if(R.has(Ae[ct])){bt=null;let ye=null,Kt=null,Wt;if(B==0||B==-1)for(Wt=ct;ye==null&&Wt-- >0;)R.has(Ae[Wt])||(ye=Wt);if(B==0||B==1)for(Wt=ct;Kt==null&&Wt++<Ae.length;)R.has(Ae[Wt])||(Kt=Wt);if(ye!=null||Kt!=null)if(Dt){let $e=ye==null?-1/0:F(Ee[ye],L,Ot,0),rn=Kt==null?1/0:F(Ee[Kt],L,Ot,0),Rn=re-$e,Be=rn-re;Rn<=Be?Rn<=Lt&&(bt=ye):Be<=Lt&&(bt=Kt)}else bt=Kt==null?ye:ye==null?Kt:ct-ye<=Kt-ct?ye:Kt}else Dt&&Sn(re-F(Ee[ct],L,Ot,0))>Lt&&(bt=null);return bt}}let Qt=A=>{at.event=A};at.idxs=et,at._lock=!1;let ut=at.points;ut.show=be(ut.show),ut.size=be(ut.size),ut.stroke=be(ut.stroke),ut.width=be(ut.width),ut.fill=be(ut.fill);let kt=n.focus=gn({},i.focus||{alpha:.3},at.focus),te=kt.prox>=0,Ct=te&&ut.one,he=[],We=[],zn=[];function Io(A,R){let O=ut.show(n,R);if(O instanceof HTMLElement)return gi(O,RT),gi(O,A.class),ns(O,-10,-10,H,Rt),p.insertBefore(O,he[R]),O}function br(A,R){if(s==1||R>0){let O=s==1&&x[A.scale].time,B=A.value;A.value=O?Fx(B)?Gx(X,Vx(B,V)):B||K:B||HE,A.label=A.label||(O?FE:DE)}if(Ct||R>0){A.width=A.width==null?1:A.width,A.paths=A.paths||iC||$T,A.fillTo=be(A.fillTo||YE),A.pxAlign=+Te(A.pxAlign,v),A.pxRound=Kx(A.pxAlign),A.stroke=be(A.stroke||null),A.fill=be(A.fill||null),A._stroke=A._fill=A._paths=A._focus=null;let O=WE(Kn(1,A.width),1),B=A.points=gn({},{size:O,width:Kn(1,O*.2),stroke:A.stroke,space:O*2,paths:sC,_stroke:null,_fill:null},A.points);B.show=be(B.show),B.filter=be(B.filter),B.fill=be(B.fill),B.stroke=be(B.stroke),B.paths=be(B.paths),B.pxAlign=A.pxAlign}if(Q){let O=ke(A,R);jt.splice(R,0,O[0]),Ut.splice(R,0,O[1]),ht.values.push(null)}if(gt){et.splice(R,0,null);let O=null;Ct?R==0&&(O=Io(A,R)):R>0&&(O=Io(A,R)),he.splice(R,0,O),We.splice(R,0,0),zn.splice(R,0,0)}Cn("addSeries",R)}function Iu(A,R){R=R??_.length,A=s==1?up(A,R,Wx,Zx):up(A,R,{},Yx),_.splice(R,0,A),br(_[R],R)}n.addSeries=Iu;function al(A){if(_.splice(A,1),Q){ht.values.splice(A,1),Ut.splice(A,1);let R=jt.splice(A,1)[0];yn(null,R.firstChild),R.remove()}gt&&(et.splice(A,1),he.splice(A,1)[0].remove(),We.splice(A,1),zn.splice(A,1)),Cn("delSeries",A)}n.delSeries=al;let zi=[!1,!1,!1,!1];function is(A,R){if(A._show=A.show,A.show){let O=A.side%2,B=x[A.scale];B==null&&(A.scale=O?_[1].scale:M,B=x[A.scale]);let q=B.time;A.size=be(A.size),A.space=be(A.space),A.rotate=be(A.rotate),Ys(A.incrs)&&A.incrs.forEach(ct=>{!Zs.has(ct)&&Zs.set(ct,hy(ct))}),A.incrs=be(A.incrs||(B.distr==2?mE:q?m==1?xE:vE:mr)),A.splits=be(A.splits||(q&&B.distr==1?rt:B.distr==3?ap:B.distr==4?kE:OE)),A.stroke=be(A.stroke),A.grid.stroke=be(A.grid.stroke),A.ticks.stroke=be(A.ticks.stroke),A.border.stroke=be(A.border.stroke);let j=A.values;A.values=Ys(j)&&!Ys(j[0])?be(j):q?Ys(j)?zx(X,Bx(j,V)):Fx(j)?wE(X,j):j||Y:j||UE,A.filter=be(A.filter||(B.distr>=3&&B.log==10?VE:B.distr==3&&B.log==2?GE:ly)),A.font=ey(A.font),A.labelFont=ey(A.labelFont),A._size=A.size(n,null,R,0),A._space=A._rotate=A._incrs=A._found=A._splits=A._values=null,A._size>0&&(zi[R]=!0,A._el=Ai(AT,f))}}function ss(A,R,O,B){let[q,j,ct,pt]=O,bt=R%2,Lt=0;return bt==0&&(pt||j)&&(Lt=R==0&&!q||R==2&&!ct?wn(Hx.size/3):0),bt==1&&(q||ct)&&(Lt=R==1&&!j||R==3&&!pt?wn(qx.size/2):0),Lt}let No=n.padding=(i.padding||[ss,ss,ss,ss]).map(A=>be(Te(A,ss))),Ei=n._padding=No.map((A,R)=>A(n,R,zi,0)),nn,an=null,ln=null,Vi=s==1?_[0].idxs:null,ni=null,Es=!1;function Lo(A,R){if(t=A??[],n.data=n._data=t,s==2){nn=0;for(let O=1;O<_.length;O++)nn+=t[O][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),ni=t[0],nn=ni.length;let O=t;if(k==2){O=t.slice();let B=O[0]=Array(nn);for(let q=0;q<nn;q++)B[q]=q}n._data=t=O}if(ue(!0),Cn("setData"),k==2&&(Mt=!0),R!==!1){let O=L;O.auto(n,Es)?Do():Ps(M,O.min,O.max),nt=nt||at.left>=0,mt=!0,Un()}}n.setData=Lo;function Do(){Es=!0;let A,R;s==1&&(nn>0?(an=Vi[0]=0,ln=Vi[1]=nn-1,A=t[0][an],R=t[0][ln],k==2?(A=an,R=ln):A==R&&(k==3?[A,R]=du(A,A,L.log,!1):k==4?[A,R]=mp(A,A,L.log,!1):L.time?R=A+wn(86400/m):[A,R]=hu(A,R,gp,!0))):(an=Vi[0]=A=null,ln=Vi[1]=R=null)),Ps(M,A,R)}let wr,Cs,Sr,P,W,tt,Z,J,Tt,Pt;function Et(A,R,O,B,q,j){A??=yx,O??=yp,B??="butt",q??=yx,j??="round",A!=wr&&(u.strokeStyle=wr=A),q!=Cs&&(u.fillStyle=Cs=q),R!=Sr&&(u.lineWidth=Sr=R),j!=W&&(u.lineJoin=W=j),B!=tt&&(u.lineCap=tt=B),O!=P&&u.setLineDash(P=O)}function It(A,R,O,B){R!=Cs&&(u.fillStyle=Cs=R),A!=Z&&(u.font=Z=A),O!=J&&(u.textAlign=J=O),B!=Tt&&(u.textBaseline=Tt=B)}function zt(A,R,O,B,q=0){if(B.length>0&&A.auto(n,Es)&&(R==null||R.min==null)){let j=Te(an,0),ct=Te(ln,B.length-1),pt=O.min==null?VT(B,j,ct,q,A.distr==3):[O.min,O.max];A.min=Bi(A.min,O.min=pt[0]),A.max=Kn(A.max,O.max=pt[1])}}let se={min:null,max:null};function pe(){for(let B in x){let q=x[B];z[B]==null&&(q.min==null||z[M]!=null&&q.auto(n,Es))&&(z[B]=se)}for(let B in x){let q=x[B];z[B]==null&&q.from!=null&&z[q.from]!=null&&(z[B]=se)}z[M]!=null&&ue(!0);let A={};for(let B in z){let q=z[B];if(q!=null){let j=A[B]=wo(x[B],JT);if(q.min!=null)gn(j,q);else if(B!=M||s==2)if(nn==0&&j.from==null){let ct=j.range(n,null,null,B);j.min=ct[0],j.max=ct[1]}else j.min=Ge,j.max=-Ge}}if(nn>0){_.forEach((B,q)=>{if(s==1){let j=B.scale,ct=z[j];if(ct==null)return;let pt=A[j];if(q==0){let bt=pt.range(n,pt.min,pt.max,j);pt.min=bt[0],pt.max=bt[1],an=ki(pt.min,t[0]),ln=ki(pt.max,t[0]),ln-an>1&&(t[0][an]<pt.min&&an++,t[0][ln]>pt.max&&ln--),B.min=ni[an],B.max=ni[ln]}else B.show&&B.auto&&zt(pt,ct,B,t[q],B.sorted);B.idxs[0]=an,B.idxs[1]=ln}else if(q>0&&B.show&&B.auto){let[j,ct]=B.facets,pt=j.scale,bt=ct.scale,[Lt,Dt]=t[q],Ot=A[pt],re=A[bt];Ot!=null&&zt(Ot,z[pt],j,Lt,j.sorted),re!=null&&zt(re,z[bt],ct,Dt,ct.sorted),B.min=ct.min,B.max=ct.max}});for(let B in A){let q=A[B],j=z[B];if(q.from==null&&(j==null||j.min==null)){let ct=q.range(n,q.min==Ge?null:q.min,q.max==-Ge?null:q.max,B);q.min=ct[0],q.max=ct[1]}}}for(let B in A){let q=A[B];if(q.from!=null){let j=A[q.from];if(j.min==null)q.min=q.max=null;else{let ct=q.range(n,j.min,j.max,B);q.min=ct[0],q.max=ct[1]}}}let R={},O=!1;for(let B in A){let q=A[B],j=x[B];if(j.min!=q.min||j.max!=q.max){j.min=q.min,j.max=q.max;let ct=j.distr;j._min=ct==3?As(j.min):ct==4?jd(j.min,j.asinh):ct==100?j.fwd(j.min):j.min,j._max=ct==3?As(j.max):ct==4?jd(j.max,j.asinh):ct==100?j.fwd(j.max):j.max,R[B]=O=!0}}if(O){_.forEach((B,q)=>{s==2?q>0&&R.y&&(B._paths=null):R[B.scale]&&(B._paths=null)});for(let B in R)Mt=!0,Cn("setScale",B);gt&&at.left>=0&&(nt=mt=!0)}for(let B in z)z[B]=null}function Bt(A){let R=op(an-1,0,nn-1),O=op(ln+1,0,nn-1);for(;A[R]==null&&R>0;)R--;for(;A[O]==null&&O<nn-1;)O++;return[R,O]}function me(){if(nn>0){let A=_.some(R=>R._focus)&&Pt!=kt.alpha;A&&(u.globalAlpha=Pt=kt.alpha),_.forEach((R,O)=>{if(O>0&&R.show&&(je(O,!1),je(O,!0),R._paths==null)){let B=Pt;Pt!=R.alpha&&(u.globalAlpha=Pt=R.alpha);let q=s==2?[0,t[O][0].length-1]:Bt(t[O]);R._paths=R.paths(n,O,q[0],q[1]),Pt!=B&&(u.globalAlpha=Pt=B)}}),_.forEach((R,O)=>{if(O>0&&R.show){let B=Pt;Pt!=R.alpha&&(u.globalAlpha=Pt=R.alpha),R._paths!=null&&Fe(O,!1);{let q=R._paths!=null?R._paths.gaps:null,j=R.points.show(n,O,an,ln,q),ct=R.points.filter(n,O,j,q);(j||ct)&&(R.points._paths=R.points.paths(n,O,an,ln,ct),Fe(O,!0))}Pt!=B&&(u.globalAlpha=Pt=B),Cn("drawSeries",O)}}),A&&(u.globalAlpha=Pt=1)}}function je(A,R){let O=R?_[A].points:_[A];O._stroke=O.stroke(n,A),O._fill=O.fill(n,A)}function Fe(A,R){let O=R?_[A].points:_[A],{stroke:B,fill:q,clip:j,flags:ct,_stroke:pt=O._stroke,_fill:bt=O._fill,_width:Lt=O.width}=O._paths;Lt=He(Lt*Pe,3);let Dt=null,Ot=Lt%2/2;R&&bt==null&&(bt=Lt>0?"#fff":pt);let re=O.pxAlign==1&&Ot>0;if(re&&u.translate(Ot,Ot),!R){let Ee=U-Lt/2,Ae=T-Lt/2,ye=$+Lt,Kt=ft+Lt;Dt=new Path2D,Dt.rect(Ee,Ae,ye,Kt)}R?Ft(pt,Lt,O.dash,O.cap,bt,B,q,ct,j):Ue(A,pt,Lt,O.dash,O.cap,bt,B,q,ct,Dt,j),re&&u.translate(-Ot,-Ot)}function Ue(A,R,O,B,q,j,ct,pt,bt,Lt,Dt){let Ot=!1;bt!=0&&S.forEach((re,Ee)=>{if(re.series[0]==A){let Ae=_[re.series[1]],ye=t[re.series[1]],Kt=(Ae._paths||Ka).band;Ys(Kt)&&(Kt=re.dir==1?Kt[0]:Kt[1]);let Wt,$e=null;Ae.show&&Kt&&HT(ye,an,ln)?($e=re.fill(n,Ee)||j,Wt=Ae._paths.clip):Kt=null,Ft(R,O,B,q,$e,ct,pt,bt,Lt,Dt,Wt,Kt),Ot=!0}}),Ot||Ft(R,O,B,q,j,ct,pt,bt,Lt,Dt)}let _n=So|cp;function Ft(A,R,O,B,q,j,ct,pt,bt,Lt,Dt,Ot){Et(A,R,O,B,q),(bt||Lt||Ot)&&(u.save(),bt&&u.clip(bt),Lt&&u.clip(Lt)),Ot?(pt&_n)==_n?(u.clip(Ot),Dt&&u.clip(Dt),_e(q,ct),hn(A,j,R)):pt&cp?(_e(q,ct),u.clip(Ot),hn(A,j,R)):pt&So&&(u.save(),u.clip(Ot),Dt&&u.clip(Dt),_e(q,ct),u.restore(),hn(A,j,R)):(_e(q,ct),hn(A,j,R)),(bt||Lt||Ot)&&u.restore()}function hn(A,R,O){O>0&&(R instanceof Map?R.forEach((B,q)=>{u.strokeStyle=wr=q,u.stroke(B)}):R!=null&&A&&u.stroke(R))}function _e(A,R){R instanceof Map?R.forEach((O,B)=>{u.fillStyle=Cs=B,u.fill(O)}):R!=null&&A&&u.fill(R)}function rs(A,R,O,B){let q=b[A],j;if(B<=0)j=[0,0];else{let ct=q._space=q.space(n,A,R,O,B),pt=q._incrs=q.incrs(n,A,R,O,B,ct);j=hC(R,O,pt,B,ct)}return q._found=j}function un(A,R,O,B,q,j,ct,pt,bt,Lt){let Dt=ct%2/2;v==1&&u.translate(Dt,Dt),Et(pt,ct,bt,Lt,pt),u.beginPath();let Ot,re,Ee,Ae,ye=q+(B==0||B==3?-j:j);O==0?(re=q,Ae=ye):(Ot=q,Ee=ye);for(let Kt=0;Kt<A.length;Kt++)R[Kt]!=null&&(O==0?Ot=Ee=A[Kt]:re=Ae=A[Kt],u.moveTo(Ot,re),u.lineTo(Ee,Ae));u.stroke(),v==1&&u.translate(-Dt,-Dt)}function Ar(A){let R=!0;return b.forEach((O,B)=>{if(!O.show)return;let q=x[O.scale];if(q.min==null){O._show&&(R=!1,O._show=!1,ue(!1));return}else O._show||(R=!1,O._show=!0,ue(!1));let j=O.side,ct=j%2,{min:pt,max:bt}=q,[Lt,Dt]=rs(B,pt,bt,ct==0?H:Rt);if(Dt==0)return;let Ot=q.distr==2,re=O._splits=O.splits(n,B,pt,bt,Lt,Dt,Ot),Ee=q.distr==2?re.map(Wt=>ni[Wt]):re,Ae=q.distr==2?ni[re[1]]-ni[re[0]]:Lt,ye=O._values=O.values(n,O.filter(n,Ee,B,Dt,Ae),B,Dt,Ae);O._rotate=j==2?O.rotate(n,ye,B,Dt):0;let Kt=O._size;O._size=Ti(O.size(n,ye,B,A)),Kt!=null&&O._size!=Kt&&(R=!1)}),R}function Gi(A){let R=!0;return No.forEach((O,B)=>{let q=O(n,B,zi,A);q!=Ei[B]&&(R=!1),Ei[B]=q}),R}function os(){for(let A=0;A<b.length;A++){let R=b[A];if(!R.show||!R._show)continue;let O=R.side,B=O%2,q,j,ct=R.stroke(n,A),pt=O==0||O==3?-1:1,[bt,Lt]=R._found;if(R.label!=null){let Hn=R.labelGap*pt,ri=wn((R._lpos+Hn)*Pe);It(R.labelFont[0],ct,"center",O==2?"top":xx),u.save(),B==1?(q=j=0,u.translate(ri,wn(T+ft/2)),u.rotate((O==3?-lu:lu)/2)):(q=wn(U+$/2),j=ri);let er=oy(R.label)?R.label(n,A,bt,Lt):R.label;u.fillText(er,q,j),u.restore()}if(Lt==0)continue;let Dt=x[R.scale],Ot=B==0?$:ft,re=B==0?U:T,Ee=R._splits,Ae=Dt.distr==2?Ee.map(Hn=>ni[Hn]):Ee,ye=Dt.distr==2?ni[Ee[1]]-ni[Ee[0]]:bt,Kt=R.ticks,Wt=R.border,$e=Kt.show?Kt.size:0,rn=wn($e*Pe),Rn=wn((R.alignTo==2?R._size-$e-R.gap:R.gap)*Pe),Be=R._rotate*-lu/180,on=g(R._pos*Pe),ii=(rn+Rn)*pt,Gn=on+ii;j=B==0?Gn:0,q=B==1?Gn:0;let _i=R.font[0],Ci=R.align==1?yo:R.align==2?Zd:Be>0?yo:Be<0?Zd:B==0?"center":O==3?Zd:yo,Xi=Be||B==1?"middle":O==2?"top":xx;It(_i,ct,Ci,Xi);let si=R.font[1]*R.lineGap,vi=Ee.map(Hn=>g(a(Hn,Dt,Ot,re))),Ri=R._values;for(let Hn=0;Hn<Ri.length;Hn++){let ri=Ri[Hn];if(ri!=null){B==0?q=vi[Hn]:j=vi[Hn],ri=""+ri;let er=ri.indexOf(`
`)==-1?[ri]:ri.split(/\n/gm);for(let Wn=0;Wn<er.length;Wn++){let lm=er[Wn];Be?(u.save(),u.translate(q,j+Wn*si),u.rotate(Be),u.fillText(lm,0,0),u.restore()):u.fillText(lm,q,j+Wn*si)}}}Kt.show&&un(vi,Kt.filter(n,Ae,A,Lt,ye),B,O,on,rn,He(Kt.width*Pe,3),Kt.stroke(n,A),Kt.dash,Kt.cap);let qi=R.grid;qi.show&&un(vi,qi.filter(n,Ae,A,Lt,ye),B,B==0?2:1,B==0?T:U,B==0?ft:$,He(qi.width*Pe,3),qi.stroke(n,A),qi.dash,qi.cap),Wt.show&&un([on],[1],B==0?1:0,B==0?1:2,B==1?T:U,B==1?ft:$,He(Wt.width*Pe,3),Wt.stroke(n,A),Wt.dash,Wt.cap)}Cn("drawAxes")}function ue(A){_.forEach((R,O)=>{O>0&&(R._paths=null,A&&(s==1?(R.min=null,R.max=null):R.facets.forEach(B=>{B.min=null,B.max=null})))})}let sn=!1,Vn=!1,Oe=[];function fn(){Vn=!1;for(let A=0;A<Oe.length;A++)Cn(...Oe[A]);Oe.length=0}function Un(){sn||(iE(Wp),sn=!0)}function ll(A,R=!1){sn=!0,Vn=R,A(n),Wp(),R&&Oe.length>0&&queueMicrotask(fn)}n.batch=ll;function Wp(){if(lt&&(pe(),lt=!1),Mt&&(At(),Mt=!1),vt){if(Ze(d,yo,$t),Ze(d,"top",oe),Ze(d,$a,H),Ze(d,Ya,Rt),Ze(p,yo,$t),Ze(p,"top",oe),Ze(p,$a,H),Ze(p,Ya,Rt),Ze(f,$a,en),Ze(f,Ya,cn),h.width=wn(en*Pe),h.height=wn(cn*Pe),b.forEach(({_el:A,_show:R,_size:O,_pos:B,side:q})=>{if(A!=null)if(R){let j=q===3||q===0?O:0,ct=q%2==1;Ze(A,ct?"left":"top",B-j),Ze(A,ct?"width":"height",O),Ze(A,ct?"top":"left",ct?oe:$t),Ze(A,ct?"height":"width",ct?Rt:H),sp(A,gr)}else gi(A,gr)}),wr=Cs=Sr=W=tt=Z=J=Tt=P=null,Pt=1,Oo(!0),$t!=St||oe!=Ve||H!=Vt||Rt!=qt){ue(!1);let A=H/Vt,R=Rt/qt;if(gt&&!nt&&at.left>=0){at.left*=A,at.top*=R,Tr&&ns(Tr,wn(at.left),0,H,Rt),Er&&ns(Er,0,wn(at.top),H,Rt);for(let O=0;O<he.length;O++){let B=he[O];B!=null&&(We[O]*=A,zn[O]*=R,ns(B,Ti(We[O]),Ti(zn[O]),H,Rt))}}if(qe.show&&!st&&qe.left>=0&&qe.width>0){qe.left*=A,qe.width*=A,qe.top*=R,qe.height*=R;for(let O in Ou)Ze(Pr,O,qe[O])}St=$t,Ve=oe,Vt=H,qt=Rt}Cn("setSize"),vt=!1}en>0&&cn>0&&(u.clearRect(0,0,h.width,h.height),Cn("drawClear"),w.forEach(A=>A()),Cn("draw")),qe.show&&st&&(cl(qe),st=!1),gt&&nt&&(tr(null,!0,!1),nt=!1),ht.show&&ht.live&&mt&&(Fu(),mt=!1),l||(l=!0,n.status=1,Cn("ready")),Es=!1,sn=!1}n.redraw=(A,R)=>{Mt=R||!1,A!==!1?Ps(M,L.min,L.max):Un()};function Nu(A,R){let O=x[A];if(O.from==null){if(nn==0){let B=O.range(n,R.min,R.max,A);R.min=B[0],R.max=B[1]}if(R.min>R.max){let B=R.min;R.min=R.max,R.max=B}if(nn>1&&R.min!=null&&R.max!=null&&R.max-R.min<1e-16)return;A==M&&O.distr==2&&nn>0&&(R.min=ki(R.min,t[0]),R.max=ki(R.max,t[0]),R.min==R.max&&R.max++),z[A]=R,lt=!0,Un()}}n.setScale=Nu;let Lu,Du,Tr,Er,Xp,qp,Cr,Rr,$p,Yp,Xe,Je,Rs=!1,Ln=at.drag,Tn=Ln.x,En=Ln.y;gt&&(at.x&&(Lu=Ai(ET,p)),at.y&&(Du=Ai(CT,p)),L.ori==0?(Tr=Lu,Er=Du):(Tr=Du,Er=Lu),Xe=at.left,Je=at.top);let qe=n.select=gn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Pr=qe.show?Ai(TT,qe.over?p:d):null;function cl(A,R){if(qe.show){for(let O in A)qe[O]=A[O],O in Ou&&Ze(Pr,O,A[O]);R!==!1&&Cn("setSelect")}}n.setSelect=cl;function H_(A){if(_[A].show)Q&&sp(jt[A],gr);else if(Q&&gi(jt[A],gr),gt){let O=Ct?he[0]:he[A];O!=null&&ns(O,-10,-10,H,Rt)}}function Ps(A,R,O){Nu(A,{min:R,max:O})}function Hi(A,R,O,B){R.focus!=null&&Y_(A),R.show!=null&&_.forEach((q,j)=>{j>0&&(A==j||A==null)&&(q.show=R.show,H_(j),s==2?(Ps(q.facets[0].scale,null,null),Ps(q.facets[1].scale,null,null)):Ps(q.scale,null,null),Un())}),O!==!1&&Cn("setSeries",A,R),B&&ko("setSeries",n,A,R)}n.setSeries=Hi;function W_(A,R){gn(S[A],R)}function X_(A,R){A.fill=be(A.fill||null),A.dir=Te(A.dir,-1),R=R??S.length,S.splice(R,0,A)}function q_(A){A==null?S.length=0:S.splice(A,1)}n.addBand=X_,n.setBand=W_,n.delBand=q_;function $_(A,R){_[A].alpha=R,gt&&he[A]!=null&&(he[A].style.opacity=R),Q&&jt[A]&&(jt[A].style.opacity=R)}let as,Is,Qs,Ir={focus:!0};function Y_(A){if(A!=Qs){let R=A==null,O=kt.alpha!=1;_.forEach((B,q)=>{if(s==1||q>0){let j=R||q==0||q==A;B._focus=R?null:j,O&&$_(q,j?1:kt.alpha)}}),Qs=A,O&&Un()}}Q&&te&&Se(Mx,dt,A=>{at._lock||(Qt(A),Qs!=null&&Hi(null,Ir,!0,dn.setSeries))});function Wi(A,R,O){let B=x[R];O&&(A=A/Pe-(B.ori==1?oe:$t));let q=H;B.ori==1&&(q=Rt,A=q-A),B.dir==-1&&(A=q-A);let j=B._min,ct=B._max,pt=A/q,bt=j+(ct-j)*pt,Lt=B.distr;return Lt==3?Mo(10,bt):Lt==4?XT(bt,B.asinh):Lt==100?B.bwd(bt):bt}function Z_(A,R){let O=Wi(A,M,R);return ki(O,t[0],an,ln)}n.valToIdx=A=>ki(A,t[0]),n.posToIdx=Z_,n.posToVal=Wi,n.valToPos=(A,R,O)=>x[R].ori==0?r(A,x[R],O?$:H,O?U:0):o(A,x[R],O?ft:Rt,O?T:0),n.setCursor=(A,R,O)=>{Xe=A.left,Je=A.top,tr(null,R,O)};function Zp(A,R){Ze(Pr,yo,qe.left=A),Ze(Pr,$a,qe.width=R)}function Jp(A,R){Ze(Pr,"top",qe.top=A),Ze(Pr,Ya,qe.height=R)}let Fo=L.ori==0?Zp:Jp,Uo=L.ori==1?Zp:Jp;function J_(){if(Q&&ht.live)for(let A=s==2?1:0;A<_.length;A++){if(A==0&&le)continue;let R=ht.values[A],O=0;for(let B in R)Ut[A][O++].firstChild.nodeValue=R[B]}}function Fu(A,R){if(A!=null&&(A.idxs?A.idxs.forEach((O,B)=>{et[B]=O}):ZT(A.idx)||et.fill(A.idx),ht.idx=et[0]),Q&&ht.live){for(let O=0;O<_.length;O++)(O>0||s==1&&!le)&&K_(O,et[O]);J_()}mt=!1,R!==!1&&Cn("setLegend")}n.setLegend=Fu;function K_(A,R){let O=_[A],B=A==0&&k==2?ni:t[A],q;le?q=O.values(n,A,R)??ie:(q=O.value(n,R==null?null:B[R],A,R),q=q==null?ie:{_:q}),ht.values[A]=q}function tr(A,R,O){$p=Xe,Yp=Je,[Xe,Je]=at.move(n,Xe,Je),at.left=Xe,at.top=Je,gt&&(Tr&&ns(Tr,wn(Xe),0,H,Rt),Er&&ns(Er,0,wn(Je),H,Rt));let B,q=an>ln;as=Ge,Is=null;let j=L.ori==0?H:Rt,ct=L.ori==1?H:Rt;if(Xe<0||nn==0||q){B=at.idx=null;for(let pt=0;pt<_.length;pt++){let bt=he[pt];bt!=null&&ns(bt,-10,-10,H,Rt)}te&&Hi(null,Ir,!0,A==null&&dn.setSeries),ht.live&&(et.fill(B),mt=!0)}else{let pt,bt,Lt;s==1&&(pt=L.ori==0?Xe:Je,bt=Wi(pt,M),B=at.idx=ki(bt,t[0],an,ln),Lt=F(t[0][B],L,j,0));let Dt=-10,Ot=-10,re=0,Ee=0,Ae=!0,ye="",Kt="";for(let Wt=s==2?1:0;Wt<_.length;Wt++){let $e=_[Wt],rn=et[Wt],Rn=rn==null?null:s==1?t[Wt][rn]:t[Wt][1][rn],Be=at.dataIdx(n,Wt,B,bt),on=Be==null?null:s==1?t[Wt][Be]:t[Wt][1][Be];if(mt=mt||on!=Rn||Be!=rn,et[Wt]=Be,Wt>0&&$e.show){let ii=Be==null?-10:Be==B?Lt:F(s==1?t[0][Be]:t[Wt][0][Be],L,j,0),Gn=on==null?-10:E(on,s==1?x[$e.scale]:x[$e.facets[1].scale],ct,0);if(te&&on!=null){let _i=L.ori==1?Xe:Je,Ci=Sn(kt.dist(n,Wt,Be,Gn,_i));if(Ci<as){let Xi=kt.bias;if(Xi!=0){let si=Wi(_i,$e.scale),vi=on>=0?1:-1,Ri=si>=0?1:-1;Ri==vi&&(Ri==1?Xi==1?on>=si:on<=si:Xi==1?on<=si:on>=si)&&(as=Ci,Is=Wt)}else as=Ci,Is=Wt}}if(mt||Ct){let _i,Ci;L.ori==0?(_i=ii,Ci=Gn):(_i=Gn,Ci=ii);let Xi,si,vi,Ri,qi,Hn,ri=!0,er=ut.bbox;if(er!=null){ri=!1;let Wn=er(n,Wt);vi=Wn.left,Ri=Wn.top,Xi=Wn.width,si=Wn.height}else vi=_i,Ri=Ci,Xi=si=ut.size(n,Wt);if(Hn=ut.fill(n,Wt),qi=ut.stroke(n,Wt),Ct)Wt==Is&&as<=kt.prox&&(Dt=vi,Ot=Ri,re=Xi,Ee=si,Ae=ri,ye=Hn,Kt=qi);else{let Wn=he[Wt];Wn!=null&&(We[Wt]=vi,zn[Wt]=Ri,Cx(Wn,Xi,si,ri),Tx(Wn,Hn,qi),ns(Wn,Ti(vi),Ti(Ri),H,Rt))}}}}if(Ct){let Wt=kt.prox,$e=Qs==null?as<=Wt:as>Wt||Is!=Qs;if(mt||$e){let rn=he[0];rn!=null&&(We[0]=Dt,zn[0]=Ot,Cx(rn,re,Ee,Ae),Tx(rn,ye,Kt),ns(rn,Ti(Dt),Ti(Ot),H,Rt))}}}if(qe.show&&Rs)if(A!=null){let[pt,bt]=dn.scales,[Lt,Dt]=dn.match,[Ot,re]=A.cursor.sync.scales,Ee=A.cursor.drag;if(Tn=Ee._x,En=Ee._y,Tn||En){let{left:Ae,top:ye,width:Kt,height:Wt}=A.select,$e=A.scales[Ot].ori,rn=A.posToVal,Rn,Be,on,ii,Gn,_i=pt!=null&&Lt(pt,Ot),Ci=bt!=null&&Dt(bt,re);_i&&Tn?($e==0?(Rn=Ae,Be=Kt):(Rn=ye,Be=Wt),on=x[pt],ii=F(rn(Rn,Ot),on,j,0),Gn=F(rn(Rn+Be,Ot),on,j,0),Fo(Bi(ii,Gn),Sn(Gn-ii))):Fo(0,j),Ci&&En?($e==1?(Rn=Ae,Be=Kt):(Rn=ye,Be=Wt),on=x[bt],ii=E(rn(Rn,re),on,ct,0),Gn=E(rn(Rn+Be,re),on,ct,0),Uo(Bi(ii,Gn),Sn(Gn-ii))):Uo(0,ct)}else ku()}else{let pt=Sn($p-Xp),bt=Sn(Yp-qp);if(L.ori==1){let re=pt;pt=bt,bt=re}Tn=Ln.x&&pt>=Ln.dist,En=Ln.y&&bt>=Ln.dist;let Lt=Ln.uni;Lt!=null?Tn&&En&&(Tn=pt>=Lt,En=bt>=Lt,!Tn&&!En&&(bt>pt?En=!0:Tn=!0)):Ln.x&&Ln.y&&(Tn||En)&&(Tn=En=!0);let Dt,Ot;Tn&&(L.ori==0?(Dt=Cr,Ot=Xe):(Dt=Rr,Ot=Je),Fo(Bi(Dt,Ot),Sn(Ot-Dt)),En||Uo(0,ct)),En&&(L.ori==1?(Dt=Cr,Ot=Xe):(Dt=Rr,Ot=Je),Uo(Bi(Dt,Ot),Sn(Ot-Dt)),Tn||Fo(0,j)),!Tn&&!En&&(Fo(0,0),Uo(0,0))}if(Ln._x=Tn,Ln._y=En,A==null){if(O){if(am!=null){let[pt,bt]=dn.scales;dn.values[0]=pt!=null?Wi(L.ori==0?Xe:Je,pt):null,dn.values[1]=bt!=null?Wi(L.ori==1?Xe:Je,bt):null}ko(Jd,n,Xe,Je,H,Rt,B)}if(te){let pt=O&&dn.setSeries,bt=kt.prox;Qs==null?as<=bt&&Hi(Is,Ir,!0,pt):as>bt?Hi(null,Ir,!0,pt):Is!=Qs&&Hi(Is,Ir,!0,pt)}}mt&&(ht.idx=B,Fu()),R!==!1&&Cn("setCursor")}let Ns=null;Object.defineProperty(n,"rect",{get(){return Ns==null&&Oo(!1),Ns}});function Oo(A=!1){A?Ns=null:(Ns=p.getBoundingClientRect(),Cn("syncRect",Ns))}function Kp(A,R,O,B,q,j,ct){at._lock||Rs&&A!=null&&A.movementX==0&&A.movementY==0||(Uu(A,R,O,B,q,j,ct,!1,A!=null),A!=null?tr(null,!0,!0):tr(R,!0,!1))}function Uu(A,R,O,B,q,j,ct,pt,bt){if(Ns==null&&Oo(!1),Qt(A),A!=null)O=A.clientX-Ns.left,B=A.clientY-Ns.top;else{if(O<0||B<0){Xe=-10,Je=-10;return}let[Lt,Dt]=dn.scales,Ot=R.cursor.sync,[re,Ee]=Ot.values,[Ae,ye]=Ot.scales,[Kt,Wt]=dn.match,$e=R.axes[0].side%2==1,rn=L.ori==0?H:Rt,Rn=L.ori==1?H:Rt,Be=$e?j:q,on=$e?q:j,ii=$e?B:O,Gn=$e?O:B;if(Ae!=null?O=Kt(Lt,Ae)?a(re,x[Lt],rn,0):-10:O=rn*(ii/Be),ye!=null?B=Wt(Dt,ye)?a(Ee,x[Dt],Rn,0):-10:B=Rn*(Gn/on),L.ori==1){let _i=O;O=B,B=_i}}bt&&(R==null||R.cursor.event.type==Jd)&&((O<=1||O>=H-1)&&(O=pr(O,H)),(B<=1||B>=Rt-1)&&(B=pr(B,Rt))),pt?(Xp=O,qp=B,[Cr,Rr]=at.move(n,O,B)):(Xe=O,Je=B)}let Ou={width:0,height:0,left:0,top:0};function ku(){cl(Ou,!1)}let jp,Qp,tm,em;function nm(A,R,O,B,q,j,ct){Rs=!0,Tn=En=Ln._x=Ln._y=!1,Uu(A,R,O,B,q,j,ct,!0,!1),A!=null&&(Se(Kd,np,im,!1),ko(_x,n,Cr,Rr,H,Rt,null));let{left:pt,top:bt,width:Lt,height:Dt}=qe;jp=pt,Qp=bt,tm=Lt,em=Dt}function im(A,R,O,B,q,j,ct){Rs=Ln._x=Ln._y=!1,Uu(A,R,O,B,q,j,ct,!1,!0);let{left:pt,top:bt,width:Lt,height:Dt}=qe,Ot=Lt>0||Dt>0,re=jp!=pt||Qp!=bt||tm!=Lt||em!=Dt;if(Ot&&re&&cl(qe),Ln.setScale&&Ot&&re){let Ee=pt,Ae=Lt,ye=bt,Kt=Dt;if(L.ori==1&&(Ee=bt,Ae=Dt,ye=pt,Kt=Lt),Tn&&Ps(M,Wi(Ee,M),Wi(Ee+Ae,M)),En)for(let Wt in x){let $e=x[Wt];Wt!=M&&$e.from==null&&$e.min!=Ge&&Ps(Wt,Wi(ye+Kt,Wt),Wi(ye,Wt))}ku()}else at.lock&&(at._lock=!at._lock,tr(R,!0,A!=null));A!=null&&(yn(Kd,np),ko(Kd,n,Xe,Je,H,Rt,null))}function j_(A,R,O,B,q,j,ct){if(at._lock)return;Qt(A);let pt=Rs;if(Rs){let bt=!0,Lt=!0,Dt=10,Ot,re;L.ori==0?(Ot=Tn,re=En):(Ot=En,re=Tn),Ot&&re&&(bt=Xe<=Dt||Xe>=H-Dt,Lt=Je<=Dt||Je>=Rt-Dt),Ot&&bt&&(Xe=Xe<Cr?0:H),re&&Lt&&(Je=Je<Rr?0:Rt),tr(null,!0,!0),Rs=!1}Xe=-10,Je=-10,et.fill(null),tr(null,!0,!0),pt&&(Rs=pt)}function sm(A,R,O,B,q,j,ct){at._lock||(Qt(A),Do(),ku(),A!=null&&ko(bx,n,Xe,Je,H,Rt,null))}function rm(){b.forEach(uC),G(n.width,n.height,!0)}xr(cu,vo,rm);let Nr={};Nr.mousedown=nm,Nr.mousemove=Kp,Nr.mouseup=im,Nr.dblclick=sm,Nr.setSeries=(A,R,O,B)=>{let q=dn.match[2];O=q(n,R,O),O!=-1&&Hi(O,B,!0,!1)},gt&&(Se(_x,p,nm),Se(Jd,p,Kp),Se(vx,p,A=>{Qt(A),Oo(!1)}),Se(Mx,p,j_),Se(bx,p,sm),hp.add(n),n.syncRect=Oo);let hl=n.hooks=i.hooks||{};function Cn(A,R,O){Vn?Oe.push([A,R,O]):A in hl&&hl[A].forEach(B=>{B.call(null,n,R,O)})}(i.plugins||[]).forEach(A=>{for(let R in A.hooks)hl[R]=(hl[R]||[]).concat(A.hooks[R])});let om=(A,R,O)=>O,dn=gn({key:null,setSeries:!1,filters:{pub:Lx,sub:Lx},scales:[M,_[1]?_[1].scale:null],match:[Dx,Dx,om],values:[null,null]},at.sync);dn.match.length==2&&dn.match.push(om),at.sync=dn;let am=dn.key,Bu=Py(am);function ko(A,R,O,B,q,j,ct){dn.filters.pub(A,R,O,B,q,j,ct)&&Bu.pub(A,R,O,B,q,j,ct)}Bu.sub(n);function Q_(A,R,O,B,q,j,ct){dn.filters.sub(A,R,O,B,q,j,ct)&&Nr[A](null,R,O,B,q,j,ct)}n.pub=Q_;function tv(){Bu.unsub(n),hp.delete(n),An.clear(),rp(cu,vo,rm),c.remove(),dt?.remove(),Cn("destroy")}n.destroy=tv;function zu(){Cn("init",i,t),Lo(t||i.data,!1),z[M]?Nu(M,z[M]):Do(),st=qe.show&&(qe.width>0||qe.height>0),nt=mt=!0,G(i.width,i.height)}return _.forEach(br),b.forEach(is),e?e instanceof HTMLElement?(e.appendChild(c),zu()):e(n,zu):zu(),n}xn.assign=gn;xn.fmtNum=xp;xn.rangeNum=hu;xn.rangeLog=du;xn.rangeAsinh=mp;xn.orient=_r;xn.pxRatio=Pe;xn.join=nE;xn.fmtDate=_p,xn.tzDate=dE;xn.sync=Py;{xn.addGap=ZE,xn.clipGaps=gu;let i=xn.paths={points:Uy};i.linear=ky,i.stepped=jE,i.bars=QE,i.spline=eC}function Js(i,t={}){let e={stroke:()=>ei("--line"),width:1};return{label:i,labelSize:18,labelGap:0,size:34,font:Gy,labelFont:Gy,stroke:()=>ei("--faint"),grid:e,ticks:{...e,size:5},...t}}var Gy="11px system-ui, sans-serif";function ei(i){return vu.style.color=`var(${i})`,vu.isConnected||document.body.append(vu),getComputedStyle(vu).color}var vu=N("i",{hidden:!0}),vr=class{constructor(t,e){this.element=N("div",{className:"chart"}),this.make=t,this.click=e,this.u=void 0,new ResizeObserver(()=>this.fit()).observe(this.element)}fit(){let{clientWidth:t,clientHeight:e}=this.element;t<40||e<40||(this.u?this.u.setSize({width:t,height:e}):this.again())}again(){let{clientWidth:t,clientHeight:e}=this.element;if(t<40||e<40)return;this.u?.destroy();let{options:n,data:s}=this.make(),r=new xn({...n,width:t,height:e,legend:{show:!1}},s,this.element);this.u=r;let o=[0,0];r.over.addEventListener("mousedown",a=>{o=[a.clientX,a.clientY]}),r.over.addEventListener("click",a=>{if(Math.hypot(a.clientX-o[0],a.clientY-o[1])>4)return;let l=r.over.getBoundingClientRect();this.click(r,a.clientX-l.left,a.clientY-l.top)})}redraw(){this.u?.redraw(!1,!1)}};function Qa(i,t,e,n,s=[]){let{ctx:r,bbox:o}=i,a=i.valToPos(t,e,!0);Number.isFinite(a)&&tl(i,()=>{r.strokeStyle=n,r.lineWidth=devicePixelRatio,r.setLineDash(s.map(l=>l*devicePixelRatio)),r.beginPath(),e==="x"?(r.moveTo(a,o.top),r.lineTo(a,o.top+o.height)):(r.moveTo(o.left,a),r.lineTo(o.left+o.width,a)),r.stroke()})}function tl(i,t){let{ctx:e,bbox:n}=i;e.save(),e.beginPath(),e.rect(n.left,n.top,n.width,n.height),e.clip(),t(),e.restore()}function Mu(i,t,e,n,s,r){let{ctx:o}=i;o.beginPath(),o.arc(i.valToPos(t,"x",!0),i.valToPos(e,"y",!0),n*devicePixelRatio,0,2*Math.PI),o.fillStyle=r,o.fill(),o.strokeStyle=s,o.lineWidth=1.5*devicePixelRatio,o.setLineDash([]),o.stroke()}var bu=class{constructor(t,e){let n=t.head.linear;this.block=t,this.record=e,this.said=n,this.title=t.head.title,this.name=t.head.name,this.analysis=n.analysis,this.bodies=n.bodies,this.shapes=t.float(n.shapes),this.places=t.float(n.place),this.turns=t.float(n.turn),this.at=t.array(n.shapes_at);let[s,r,o]=t.head.arrays[n.shapes].shape;if(this.rows=s,this.columns=r,o!==this.bodies.length||this.shapes.length!==s*r*o*12||this.at.length!==s||this.places.length!==3*o||this.turns.length!==4*o)throw new Error(`The shapes of "${this.name}" do not fit its bodies: the view is damaged; write it again.`);this.frequency=t.array(n.frequency),this.speed=n.speed?t.array(n.speed):new Float64Array(0)}get count(){return this.analysis==="campbell"?this.said.kinds.length:this.frequency.length}has(t,e){return t>=0&&t<this.rows&&e>=0&&e<this.columns&&!Number.isNaN(this.frequencyOf(t,e))}frequencyOf(t,e){return this.analysis==="modes"?this.frequency[e]:this.analysis==="response"?this.frequency[this.at[t]]:this.frequency[e*this.speed.length+this.at[t]]}curveAt(t,e,n){return this.block.array(this.said[t])[n*this.speed.length+this.at[e]]}rowNear(t){let e=-1;return this.at.forEach((n,s)=>{(e<0||Math.abs(n-t)<Math.abs(this.at[e]-t))&&(e=s)}),e}modeNear(t){let e=-1;for(let n=this.said.rigid;n<this.frequency.length;n++)(e<0||Math.abs(this.frequency[n]-t)<Math.abs(this.frequency[e]-t))&&(e=n);return e}};function wu(i){return i.head.linear!==void 0}function Qe(i,t=5){if(!Number.isFinite(i))return"–";let e=Math.abs(i);return e&&(e<.001||e>=1e7)?i.toExponential(t-1).replace(/\.?0+e/,"e"):String(Number(i.toPrecision(t)))}function el(i){return Math.abs(i)>=1e4?`${Qe(i/1e3)} kHz`:`${Qe(i)} Hz`}function Xy(i,t,e){let{said:n,frequency:s,block:r}=i,o=s.length,a=Array.from(s),l=a[0]>0&&a[o-1]>a[0],c=0,h=0,u=NaN,f=w=>{let I=(h*n.inputs.length+c)*o;return Array.from(r.array(n[w]).subarray(I,I+o))};function d(w,I){let C=w.posToVal(I,"x"),L=0;for(let F=1;F<o;F++)Math.abs(a[F]-C)<Math.abs(a[L]-C)&&(L=F);let k=i.rowNear(L);k>=0&&t(k)}let p={time:!1,range:(w,I,C)=>I<C?[I,C]:[.9*I,1.1*C||1],...l?{distr:3}:{}},v=l?{splits:(w,I,C,L)=>Wy(C,L,w.bbox.width/devicePixelRatio/45),filter:Hy}:{},g={pxAlign:0,width:1.6,points:{show:o<3,size:5}},m={drag:{x:!0,y:!1},points:{show:!1},sync:{key:`bode ${i.record}`,setSeries:!1}},_=w=>{Number.isNaN(u)||Qa(w,u,"x",ei("--now"))},b=new vr(()=>{let w=f("magnitude").map(C=>C>0&&Number.isFinite(C)?C:null),I=n.units[h][c];return{data:[a,w],options:{scales:{x:p,y:w.some(C=>C!==null)?{distr:3}:{range:[0,1]}},cursor:m,axes:[Js("",{size:8,labelSize:0,values:()=>[],...v}),Js(`magnitude${I?` (${I})`:""}`,{size:62,splits:(C,L,k,F)=>Wy(k,F,C.bbox.height/devicePixelRatio/18),filter:Hy,values:(C,L)=>L.map(fC)})],series:[{},{...g,stroke:()=>ei("--curve-a")}],hooks:{draw:[_]}}}},d),x=new vr(()=>({data:[a,f("phase").map(w=>Number.isFinite(w)?w:null)],options:{scales:{x:p,y:{range:(w,I,C)=>dC(I,C)}},cursor:m,axes:[Js("frequency (Hz)",{...v,values:(w,I)=>I.map(C=>Qe(C,3))}),Js("phase (deg)",{size:62,splits:(w,I,C,L)=>pC(C,L)})],series:[{},{...g,stroke:()=>ei("--curve-b")}],hooks:{draw:[_]}}}),d);b.element.classList.add("magnitude"),x.element.classList.add("phase");let S=(w,I,C)=>N("select",{"aria-label":w,title:w,onchange:C,disabled:I.length<2},...I.map((L,k)=>new Option(L,String(k)))),M=S("Input",n.inputs,()=>e(Number(M.value),h)),y=S("Output",n.outputs,()=>e(c,Number(y.value)));return{element:N("div",{className:"charts bode"},N("p",{className:"legend"},y," over ",M),b.element,x.element),mark(w){u=w,b.redraw(),x.redraw()},show(w,I){w===c&&I===h||(c=w,h=I,M.value=String(w),y.value=String(I),b.again(),x.again())},redraw(){b.redraw(),x.redraw()}}}var fC=i=>i>=1e5||i<.001?i.toExponential().replace("e+","e"):Qe(i,3),Hy=(i,t)=>t;function Wy(i,t,e){let n=Math.floor(Math.log10(i)),s=Math.ceil(Math.log10(t)),r=Math.log10(t/i),o=3*r<=e?[1,2,5]:[1],a=Math.max(1,Math.ceil(r/Math.max(e,1))),l=[];for(let c=Math.ceil(n/a)*a;c<=s;c+=a)for(let h of o){let u=+`${h}e${c}`;u>=i&&u<=t&&l.push(u)}return l}function dC(i,t){let e=Math.floor(((i??0)-5)/45)*45,n=Math.ceil(((t??0)+5)/45)*45;return[e,n]}function pC(i,t){let e=[15,45,90,180,360,720,1440].find(s=>(t-i)/s<=5)??Math.ceil((t-i)/1800)*360,n=[];for(let s=Math.ceil(i/e)*e;s<=t;s+=e)n.push(s);return n}var Tp=30/Math.PI,qy=.05,$y={forward:"--curve-a",backward:"--curve-b",neither:"--faint"};function Ep(i){return i>qy?"forward":i<-qy?"backward":"neither"}function Yy(i,t){let{said:e,frequency:n,speed:s}=i,r=s.length,o=i.count,a=Float64Array.from(s,b=>b*Tp),l=i.block.array(e.whirl),c=Array.from({length:o},(b,x)=>{let S=l.subarray(x*r,(x+1)*r).filter(M=>!Number.isNaN(M));return Ep(S.length?S.reduce((M,y)=>M+y,0)/S.length:0)}),h={row:-1,column:-1,frequency:NaN},u=Array.from({length:o},(b,x)=>Array.from(n.subarray(x*r,(x+1)*r),S=>Number.isNaN(S)?null:S)),f=1.06*n.reduce((b,x)=>x>b?x:b,0),d=new vr(()=>({data:[Array.from(a),...u],options:{scales:{x:{time:!1,range:(b,x,S)=>x===S?[x-1,S+1]:[x,S]},y:{range:()=>[0,f||1]}},axes:[Js(`speed of ${e.shaft} (rpm)`),Js("frequency (Hz)",{size:56})],cursor:{drag:{x:!0,y:!0,uni:12},points:{show:!1}},series:[{},...c.map(b=>({stroke:()=>ei($y[b]),width:1.6,dash:b==="backward"?[6,3]:[],pxAlign:0,spanGaps:!1,points:{show:r<3,size:5}}))],hooks:{draw:[p,v]}}}),(b,x,S)=>{let M={distance:1/0,row:-1,column:-1};i.at.forEach((y,w)=>{for(let I=0;I<o;I++){let C=n[I*r+y],L=Math.hypot(b.valToPos(a[y],"x")-x,b.valToPos(C,"y")-S);L<M.distance&&(M={distance:L,row:w,column:I})}}),M.row>=0&&t(M.row,M.column)});function p(b){let{ctx:x,bbox:S}=b,M=ei("--faint"),y=devicePixelRatio,w=b.scales.x.min??0,I=b.scales.x.max??0,C=e.orders.map(({name:L,order:k})=>{let F=(w<0&&I>0?[w,0,I]:[w,I]).map(E=>[b.valToPos(E,"x",!0),b.valToPos(Math.abs(k)/60*Math.abs(E),"y",!0)]);return{name:L,ends:F}});tl(b,()=>{x.strokeStyle=x.fillStyle=M,x.lineWidth=.8*y,x.setLineDash([5*y,3*y]);for(let{ends:L}of C){x.beginPath();for(let[k,F]of L)x.lineTo(k,F);x.stroke()}x.setLineDash([]),x.strokeStyle=ei("--panel"),x.lineWidth=3*y,x.font=`${11*y}px system-ui, sans-serif`,x.textAlign="right";for(let{name:L,ends:k}of C){let F=k[k.length-1],E=k[k.length-2];if(F[1]>S.top+S.height||E[1]-F[1]<=0)continue;let z=F[1]>=S.top+14*y,X=z?1:(E[1]-S.top)/(E[1]-F[1]),V=Math.min(E[0]+X*(F[0]-E[0]),F[0]),rt=z?F[1]:S.top+3*y;x.textBaseline=z?"bottom":"top",x.strokeText(`${L} `,V,rt),x.fillText(`${L} `,V,rt)}})}function v(b){let x=ei("--back"),S=ei("--ink");tl(b,()=>{for(let{speed:y,frequency:w}of e.crossings)Mu(b,y*Tp,w,3,S,x);for(let{speed:y,forward:w}of e.critical)Mu(b,y*Tp,Math.abs(y)/(2*Math.PI),3.5,ei($y[w?"forward":"backward"]),x)});let M=ei("--now");h.row>=0&&(Qa(b,a[i.at[h.row]],"x",M,[2,3]),tl(b,()=>Mu(b,a[i.at[h.row]],h.frequency,5,M,M))),Number.isNaN(h.frequency)||Qa(b,h.frequency,"y",M,[2,3])}let g={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};d.element.tabIndex=0,d.element.setAttribute("role","application"),d.element.setAttribute("aria-label","Campbell diagram: arrow keys choose the speed and the mode"),d.element.addEventListener("keydown",b=>{let x=g[b.key];if(!x||b.ctrlKey||b.altKey||b.metaKey||!i.rows)return;b.preventDefault(),b.stopPropagation();let S=Math.min(Math.max(Math.max(h.row,0)+x[0],0),i.rows-1);t(S,x[1]?mC(i,S,Math.max(h.column,0),x[1]):Math.max(h.column,0))});let m=new Set(c),_=N("p",{className:"legend"});for(let b of["forward","backward","neither"])m.has(b)&&_.append(N("span",{},N("i",{className:`line ${b}`}),b==="neither"?"no whirl":`${b} whirl`));return(e.crossings.length||e.critical.length)&&_.append(N("span",{},N("i",{className:"ring"}),"critical speeds")),{element:N("div",{className:"charts"},_,d.element),mark(b,x,S){h={row:b,column:x,frequency:S},d.redraw()},redraw:()=>d.redraw()}}function mC(i,t,e,n){let s=i.frequencyOf(t,e),r=e;for(let o=0;o<i.count;o++){let a=i.frequencyOf(t,o),l=n*(a-s);o===e||Number.isNaN(a)||l<0||l===0&&n*(o-e)<0||(r===e||l<n*(i.frequencyOf(t,r)-s))&&(r=o)}return r}var gC=8;function Zy(i,t){return i.count?i.analysis==="modes"?xC(i,t.column):i.rows?i.analysis==="campbell"?yC(i,t):_C(i,t):[N("h2",{},i.name),N("p",{},"The mode shapes are too large to be stored. Compute fewer frequencies or modes (highest=).")]:[N("h2",{},"No mode in this range of frequencies")]}function xC(i,t){let{said:e,block:n}=i,s=n.array(e.damping)[t],r=t<e.rigid,o=r?[["Frequency","0: rigid-body motion, drawn as an oscillation"]]:[["Frequency",el(i.frequency[t])]];!r&&Math.abs(s)>.001&&o.push(["Swings at",el(n.array(e.damped)[t])]),r||o.push(["Damping ratio",s<0&&!e.stable?`${Qe(s,4)}: the motion grows, drawn without growth`:Qe(s,4)]),o.push(["Kind",e.kinds[t]]),e.times[t]>1&&o.push(["Times",`${e.times[t]} modes of this frequency. Every linear combination of them is also a mode`]),i.has(0,t)||o.push(["Shape","not in this page, because the page would become too large"]),o.push(["",e.descriptions[t]]);let l=e.strain.map(h=>[h.name,n.array(h.share)[t]]).filter(([,h])=>h>=.005).sort((h,u)=>u[1]-h[1]).slice(0,gC),c=[N("h2",{},`Mode ${t+1}`),Cp(o)];return l.length&&c.push(N("h3",{},"Strain energy"),N("div",{className:"bars"},...l.flatMap(([h,u])=>vC(h,u)))),c}function yC(i,{row:t,column:e}){let{said:n,speed:s}=i,r=s[i.at[t]],o=i.curveAt("damping",t,e),a=i.curveAt("whirl",t,e),l=i.frequencyOf(t,e),c=[["Speed",`${Qe(r*30/Math.PI)} rpm (${Qe(r)} rad/s)`]];if(Number.isNaN(l))c.push(["Frequency","none: the mode no longer oscillates at this speed"]);else{let h=Ep(a);c.push(["Frequency",el(l)],["Damping ratio",o<0?`${Qe(o,4)}: the motion grows, drawn without growth`:Qe(o,4)]),c.push(["Whirl",Number.isNaN(a)?"at rest: none":h==="neither"?"neither forward nor backward":`${h} (${Qe(a,2)})`])}return c.push(["At the first speed",n.kinds[e]]),[N("h2",{},`Mode ${e+1}`),Cp(c)]}function _C(i,{row:t,column:e,output:n}){let{said:s,block:r,frequency:o}=i,a=i.at[t],l=(n*s.inputs.length+e)*o.length+a,c=s.units[n][e];return[N("h2",{},el(o[a])),Cp([["Input",s.inputs[e]],["Output",s.outputs[n]],["Magnitude",`${Qe(r.array(s.magnitude)[l],4)} ${c}`],["Phase",`${Qe(r.array(s.phase)[l],4)}°`],["","The picture shows how all bodies move at this frequency."]])]}function Cp(i){return N("dl",{},...i.flatMap(([t,e])=>[N("dt",{},t),N("dd",{},e)]))}function vC(i,t){return[N("span",{},i),N("meter",{min:0,max:1,value:t,"aria-label":i}),N("span",{},`${Math.round(100*t)} %`)]}var Su=class{constructor(t){this.state=t,this.listeners=[]}set(t){let e=new Set(Object.keys(t).filter(n=>!Object.is(t[n],this.state[n])));if(e.size){Object.assign(this.state,t);for(let n of this.listeners)n(this.state,e)}}on(t){this.listeners.push(t)}};var MC=[.1,.25,.5,1,2],bC=-5,wC=3;function Jy(i){let t=N("button",{id:"swing",type:"button","aria-label":"Play or pause (space)",title:"Play or pause (space)",onclick:()=>i.set({playing:!i.state.playing})},"▶"),e=N("input",{id:"phase",type:"range",min:"0",max:"360",step:"1","aria-label":"Phase",oninput:()=>i.set({phase:Number(e.value)/360,playing:!1})}),n=N("output",{id:"degrees"}),s=N("select",{id:"pace","aria-label":"Periods a second",title:"Periods per second on the screen, independent of the frequency",onchange:()=>i.set({pace:Number(s.value)})},...MC.map(u=>new Option(`${u} period${u===1?"":"s"}/s`,String(u)))),r=N("input",{id:"amplitude",type:"range",min:String(bC),max:String(wC),step:"any","aria-label":"Amplitude",oninput:()=>i.set({amplitude:2**Number(r.value)}),ondblclick:()=>i.set({amplitude:1})}),o=N("output",{id:"drawn"}),a=N("input",{id:"ghost",type:"checkbox",onchange:()=>i.set({ghost:a.checked})}),l=N("input",{id:"painted",type:"checkbox",onchange:()=>i.set({painted:l.checked})}),c=N("div",{className:"linear controls"},t,N("label",{className:"wide"},"Phase",e),n,s,N("label",{},"Amplitude",r),o,N("label",{},a,"rest position"),N("label",{title:"From blue (at rest) to red (largest motion)"},l,"colour by amplitude"));function h({phase:u,playing:f,pace:d,amplitude:p,ghost:v,painted:g}){t.textContent=f?"❚❚":"▶",e.value=String(360*u),n.textContent=`${Math.round(360*u)}°`,s.value=String(d),r.value=String(Math.log2(p)),a.checked=v,l.checked=g}return i.on(h),h(i.state),{element:c,say(u,f){o.textContent=u;for(let d of[t,e,s,r])d.disabled=!f}}}function Ky(i,t){let{said:e,frequency:n}=i,s=i.block.array(e.damping),r=e.times.some(d=>d>1),o=Array.from(n,(d,p)=>SC(i,p,d,s[p],r,()=>t(p))),a=N("tr",{},...["","Frequency/Hz","Damping/%",...r?["Times"]:[],"Kind","What moves"].map(d=>N("th",{scope:"col"},d))),l=e.decaying.length?`Without oscillation: ${e.decaying.map(d=>Qe(d,4)).join(", ")} 1/s`:"",c=N("table",{role:"grid","aria-label":"Modes"},N("thead",{},a),N("tbody",{},...o)),h=N("div",{className:"mode-list",tabIndex:0,onkeydown:f},c,l?N("p",{},l):""),u=-1;function f(d){let p=Math.max(1,Math.floor(h.clientHeight/24)-2),g={ArrowDown:1,ArrowUp:-1,PageDown:p,PageUp:-p,Home:-o.length,End:o.length}[d.key];g===void 0||d.ctrlKey||d.altKey||d.metaKey||!o.length||(d.preventDefault(),t(Math.min(Math.max(u+g,0),o.length-1)))}return{element:h,mark(d,p){for(let[g,m]of o.entries())m.setAttribute("aria-selected",String(g===d)),m.classList.toggle("near",g===p&&g!==d);let v=d>=0?d:p;v>=0&&v!==u&&AC(h,o[v]),u=v}}}function SC(i,t,e,n,s,r){let{said:o}=i,a=t<o.rigid,l=n<0&&!o.stable,c=o.kinds[t],h=String(o.descriptions[t]),u=a?"–":l?`${Qe(100*n,3)} grows`:Qe(100*n,3),f=[N("td",{},String(t+1)),N("td",{},a?"0":Qe(e,6)),N("td",{className:l?"alarm":""},u),...s?[N("td",{},o.times[t]>1?`${o.times[t]} ×`:"")]:[],N("td",{},c),N("td",{title:h},h.startsWith(`${c}; `)?h.slice(c.length+2):h)];return N("tr",{"aria-selected":"false",onclick:r,title:i.has(0,t)?"":"The page has no shape of this mode."},...f)}function AC(i,t){let e=t.offsetTop,n=26;e-n<i.scrollTop?i.scrollTop=e-n:e+t.offsetHeight>i.scrollTop+i.clientHeight&&(i.scrollTop=e+t.offsetHeight-i.clientHeight+4)}var Au=class{constructor(t,e){this.position=t.attributes.position,this.normal=t.attributes.normal,this.points=Float32Array.from(this.position.array),this.normals=this.normal?Float32Array.from(this.normal.array):new Float32Array(0);let n=this.points.length/3;this.piece=new Uint16Array(n),this.part=new Float32Array(n);let s=new D;for(let r=0;r<n;r++){let o=s.fromArray(this.points,3*r).sub(e.start).dot(e.along),a=Math.min(Math.max(o,e.places[0]),e.places[e.places.length-1]),l=0;for(;l<e.places.length-2&&a>e.places[l+1];)l+=1;let c=e.places[l+1]-e.places[l];this.piece[r]=l,this.part[r]=c>0?(a-e.places[l])/c:0}}},Tu=class{constructor(t,e){this.shaft=t;let n=e[0].x,r=e.reduce((a,l)=>l.x.distanceTo(n)>a.x.distanceTo(n)?l:a).x.clone().sub(n).normalize(),o=e.map(a=>({...a,place:a.x.clone().sub(n).dot(r)})).sort((a,l)=>a.place-l.place);this.numbers=o.map(a=>a.number),this.places=o.map(a=>a.place),t.group.updateMatrixWorld(!0),this.parts=t.parts.map(a=>this.soften(a,n,r))}soften(t,e,n){let{shape:s,holder:r,lines:o,mesh:a}=t,c=new Xt().compose(this.shaft.group.position,this.shaft.group.quaternion,new D(1,1,1)).multiply(r.matrix).clone().invert(),h=new fe().setFromRotationMatrix(c),u={start:e.clone().applyMatrix4(c),along:n.clone().applyQuaternion(h),places:this.places,back:h},f=EC(s.geometry,s.matrices),d=new Re(f,t.material);d.userData.part=t,r.remove(a),r.add(d),t.mesh=d;let p=[new Au(f,u)];return o&&(o.geometry=o.geometry.clone(),p.push(new Au(o.geometry,u))),d.frustumCulled=!1,{line:u,soft:p,geometries:[f,...o?[o.geometry]:[]]}}bend(t){for(let{line:e,soft:n}of this.parts){let s=this.numbers.map(r=>({u:new D(t(r,0),t(r,1),t(r,2)).applyQuaternion(e.back),turn:new D(t(r,3),t(r,4),t(r,5)).applyQuaternion(e.back)}));for(let r of n)TC(r,e,s)}}paint(t,e){for(let{soft:[{piece:n,part:s}],geometries:[r]}of this.parts){let o=new Float32Array(3*n.length);n.forEach((a,l)=>e(t[this.numbers[a]]*(1-s[l])+t[this.numbers[a+1]]*s[l]).toArray(o,3*l)),r.setAttribute("color",new ne(o,3))}return this.shaft.parts}dispose(){for(let{geometries:t}of this.parts)for(let e of t)e.dispose()}},nl=new D,Rp=new D,jy=new D,Mr=new D,Pp=new D,Ip=new fe;function TC({position:i,normal:t,points:e,normals:n,piece:s,part:r},o,a){let{along:l,places:c,start:h}=o;for(let u=0;u<s.length;u++){let f=s[u],d=r[u],p=a[f],v=a[f+1],g=c[f+1]-c[f],m=1-d*d*(3-2*d),_=d*d*(3-2*d),b=g*d*(1-d)*(1-d),x=-g*d*d*(1-d);nl.copy(p.u).multiplyScalar(m).addScaledVector(v.u,_),nl.addScaledVector(jy.crossVectors(p.turn,l),b).addScaledVector(jy.crossVectors(v.turn,l),x);let S=p.u.dot(l)*(1-d)+v.u.dot(l)*d;nl.addScaledVector(l,S-nl.dot(l)),Rp.copy(p.turn).multiplyScalar(1-d).addScaledVector(v.turn,d),Mr.fromArray(e,3*u);let M=c[f]+d*g;Pp.copy(h).addScaledVector(l,M),Mr.sub(Pp);let y=Rp.length();y&&(Ip.setFromAxisAngle(Rp.divideScalar(y),y),Mr.applyQuaternion(Ip)),Mr.add(Pp).add(nl).toArray(i.array,3*u),t&&(Mr.fromArray(n,3*u),y&&Mr.applyQuaternion(Ip),Mr.toArray(t.array,3*u))}i.needsUpdate=!0,t&&(t.needsUpdate=!0)}function EC(i,t){let e=i.attributes.position.count,n=i.index?.array??Uint32Array.from({length:e},(c,h)=>h),s=new Float32Array(3*e*t.length),r=new Float32Array(s.length),o=new Uint32Array(n.length*t.length),a=new D;t.forEach((c,h)=>{for(let u=0;u<e;u++)a.fromBufferAttribute(i.attributes.position,u).applyMatrix4(c).toArray(s,3*(h*e+u)),a.fromBufferAttribute(i.attributes.normal,u).transformDirection(c).toArray(r,3*(h*e+u));for(let u=0;u<n.length;u++)o[h*n.length+u]=n[u]+h*e});let l=new ge;return l.setAttribute("position",new ne(s,3)),l.setAttribute("normal",new ne(r,3)),l.setIndex(new ne(o,1)),l}var Eu=class{constructor(t,e,n){this.body=n,this.points=t.float(e.position),this.index=t.array(e.index),this.edge=t.array(e.edge),this.motion=t.array(e.motion),this.scale=t.array(e.scale);let s=this.points.length/3,r=f=>f.some(d=>d>=s);if(this.motion.length!==6*s*this.scale.length||r(this.index)||r(this.edge))throw new Error(`The surface of "${e.name}" is damaged. Write the view again.`);this.modes=this.scale.length;let o=n.parts[0],{holder:a}=o,l=new Xt().compose(n.group.position,n.group.quaternion,new D(1,1,1)).multiply(a.matrix).invert();this.turn=new Zt().setFromMatrix4(l).elements,this.rest=new Float32Array(3*s);let c=new D;for(let f=0;f<s;f++)c.fromArray(this.points,3*f).applyMatrix4(l).toArray(this.rest,3*f);this.now=Float32Array.from(this.rest),this.faces=new ge;for(let f of["position","normal"])this.faces.setAttribute(f,new ne(new Float32Array(3*this.index.length),3));this.lines=new ge().setAttribute("position",new ne(new Float32Array(3*this.edge.length),3));let h=new Re(this.faces,o.material),u=new Qn(this.lines,o.edges);h.userData.part=o,h.frustumCulled=u.frustumCulled=!1;for(let{holder:f,mesh:d,lines:p}of n.parts)f.remove(d,...p?[p]:[]);a.add(h,u),Object.assign(o,{mesh:h,lines:u}),this.fill()}largest(t){let e=this.points.length/3,n=6*e*t,s=0;if(t<this.modes)for(let r=n;r<n+6*e;r+=6)s=Math.max(s,Math.hypot(...this.motion.subarray(r,r+6)));return s*(this.scale[t]??0)}paint(t,e){let{index:n,motion:s}=this,r=this.points.length/3,o=new Float32Array(3*n.length),a=this.scale[t]??0;return n.forEach((l,c)=>e(a&&a*Math.hypot(...s.subarray(6*(r*t+l),6*(r*t+l)+6))).toArray(o,3*c)),this.faces.setAttribute("color",new ne(o,3)),[this.body.parts[0]]}show(t,e,n){let{motion:s,rest:r,now:o,turn:a}=this,l=r.length/3,c=t<this.modes&&(e!==0||n!==0);e*=this.scale[t]??0,n*=this.scale[t]??0;for(let h=0;h<l;h++){let u=6*(l*t+h),f=c?e*s[u]-n*s[u+1]:0,d=c?e*s[u+2]-n*s[u+3]:0,p=c?e*s[u+4]-n*s[u+5]:0;o[3*h]=r[3*h]+a[0]*f+a[3]*d+a[6]*p,o[3*h+1]=r[3*h+1]+a[1]*f+a[4]*d+a[7]*p,o[3*h+2]=r[3*h+2]+a[2]*f+a[5]*d+a[8]*p}this.fill()}fill(){let{index:t,edge:e,now:n}=this,s=this.faces.attributes.position,r=this.faces.attributes.normal,o=this.lines.attributes.position,a=new D,l=new D,c=new D;for(let h=0;h<t.length;h+=3){a.fromArray(n,3*t[h]).toArray(s.array,3*h),l.fromArray(n,3*t[h+1]).toArray(s.array,3*h+3),c.fromArray(n,3*t[h+2]).toArray(s.array,3*h+6),l.sub(a).cross(c.sub(a)).normalize();for(let u=0;u<3;u++)l.toArray(r.array,3*(h+u))}for(let h=0;h<e.length;h++)a.fromArray(n,3*e[h]).toArray(o.array,3*h);s.needsUpdate=r.needsUpdate=o.needsUpdate=!0}dispose(){this.faces.dispose(),this.lines.dispose()}};var CC=.05,RC=.35,Cu=["#3b4cc0","#7396f5","#b0cbfc","#dcdddd","#f6bfa5","#ea7b60","#b40426"].map(i=>new Jt(i)),Ru=class{constructor(t,e){this.finding=t,this.world=e;let{bodies:n,size:s}=e.loaded;this.size=s,this.drawn=t.bodies.map((o,a)=>{let l=n.byName.get(o),c=new D().fromArray(t.places,3*a),[h,u,f,d]=t.turns.subarray(4*a,4*a+4),p=new fe(u,f,d,h),v=(l?.support??[]).map(g=>g.clone().applyQuaternion(p));return{body:l,x:c,q:p,arms:v.length?v:[new D]}});let r=this.shafts();this.stiff=[...this.structures(),...this.carried()],this.ghost=PC([...this.surfaces().map(({body:o})=>o),...this.drawn.flatMap(({body:o})=>o?[o]:[]),...r.map(({shaft:o})=>o),...this.stiff.map(({body:o})=>o)]),this.soft=this.surfaces().map(({said:o,body:a})=>new Eu(t.block,o,a)),this.bent=r.map(({shaft:o,stations:a})=>new Tu(o,a)),this.ghost.visible=!1,n.root.add(this.ghost),this.unpainted=new Map}withStations(t){let{bodies:e}=this.world.loaded;return e.all.filter(({name:n,said:s})=>t(s.group)&&!s.structure&&!this.finding.bodies.includes(n)).flatMap(n=>{let s=this.drawn.flatMap(({body:r,x:o},a)=>r?.said.structure===n.name?[{x:o,number:a}]:[]);return s.length?[{shaft:n,stations:s}]:[]})}shafts(){return this.withStations(t=>t==="Shafts").filter(({stations:t})=>t.length>1)}surfaces(){let{bodies:t}=this.world.loaded;return(this.finding.said.surfaces??[]).flatMap(e=>{let n=t.byName.get(e.name);return n?.parts.length?[{said:e,body:n}]:[]})}structures(){let t=new Set(this.surfaces().map(({body:e})=>e));return this.withStations(e=>e!=="Shafts"&&e!=="Bodies").filter(({shaft:e})=>!t.has(e)).map(({shaft:e,stations:n})=>{let s=n.reduce((r,{x:o})=>r.add(o),new D).divideScalar(n.length);return{body:e,by:n.map(({number:r})=>({number:r,arm:new D})),parts:n.length,middle:s,x:e.group.position.clone(),q:e.group.quaternion.clone()}})}carried(){let{bodies:t}=this.world.loaded;return(this.finding.said.carried??[]).flatMap(e=>{let n=t.byName.get(e.body);if(!n)return[];let s=n.group.position.clone(),r=e.by.map(o=>this.finding.bodies.indexOf(o)).filter(o=>o>=0).map(o=>({number:o,arm:s.clone().sub(this.drawn[o].x)}));return[{body:n,by:r,parts:e.by.length,middle:s.clone(),x:s,q:n.group.quaternion.clone()}]})}sizes(t,e){let{shapes:n,columns:s}=this.finding,r=this.drawn.length,o=0,a=this.drawn.map(({arms:c},h)=>{let u=n.subarray(12*((t*s+e)*r+h));o=Math.max(o,Math.hypot(u[6],u[7],u[8],u[9],u[10],u[11]));let f=0;for(let d of c)f=Math.max(f,Math.hypot(...e_(u,0,d),...e_(u,1,d)));return f}),l=Math.max(...a,...this.soft.map(c=>c.largest(e)),0);return{moved:a,most:l,turn:o}}factor(t,e){let{most:n,turn:s}=this.sizes(t,e),r=Math.min(CC*this.size/n,RC/s);return Number.isFinite(r)?r:0}show(t,e,n,s){let{shapes:r,columns:o}=this.finding,a=this.drawn.length,l=n-Math.floor(n),c=s*Math.cos(2*Math.PI*l),h=s*Math.sin(2*Math.PI*l),u=new D,f=new D,d=new fe,p=12*(t*o+e)*a,v=(_,b)=>s?c*r[p+12*_+2*b]-h*r[p+12*_+2*b+1]:0;this.drawn.forEach(({body:_,x:b,q:x},S)=>{if(!_)return;u.set(b.x+v(S,0),b.y+v(S,1),b.z+v(S,2)),f.set(v(S,3),v(S,4),v(S,5));let M=f.length();M?d.setFromAxisAngle(f.divideScalar(M),M).multiply(x):d.copy(x),t_(_,u,d)});let g=new D,m=new D;for(let{body:_,by:b,parts:x,middle:S,x:M,q:y}of this.stiff){f.set(0,0,0),m.set(0,0,0);for(let{number:I,arm:C}of b)f.add(g.set(v(I,3),v(I,4),v(I,5))),m.add(g.cross(C)).add(g.set(v(I,0),v(I,1),v(I,2)));f.divideScalar(x),m.divideScalar(x);let w=f.length();d.identity(),w&&d.setFromAxisAngle(f.divideScalar(w),w),t_(_,u.copy(M).sub(S).applyQuaternion(d).add(S).add(m),d.multiply(y))}for(let _ of this.soft)_.show(e,c,h);for(let _ of this.bent)_.bend(v);this.world.show()}paint(t,e,n){for(let[l,c]of this.unpainted)l.material.color.copy(c),Qy(l.material,!1);if(this.unpainted.clear(),!n)return;let{moved:s,most:r}=this.sizes(t,e),o=l=>IC(r?l/r:0),a=(l,c)=>{for(let h of l?.parts??[])this.unpainted.has(h)||this.unpainted.set(h,h.material.color.clone()),h.material.color.copy(o(c))};for(let l of this.world.loaded.bodies.all)this.finding.bodies.includes(l.name)||a(l,0);this.drawn.forEach(({body:l},c)=>a(l,s[c]));for(let{body:l,by:c,parts:h}of this.stiff)a(l,c.reduce((u,{number:f})=>u+s[f],0)/h);for(let l of[...this.soft.flatMap(c=>c.paint(e,o)),...this.bent.flatMap(c=>c.paint(s,o))])this.unpainted.has(l)||this.unpainted.set(l,l.material.color.clone()),l.material.color.set("#ffffff"),Qy(l.material,!0)}end(){this.paint(0,0,!1),this.show(0,0,0,0),this.ghost.removeFromParent();for(let t of[...this.bent,...this.soft])t.dispose()}};function Qy(i,t){i.vertexColors!==t&&(i.vertexColors=t,i.needsUpdate=!0)}function t_({place:i,turn:t},e,n){i?.set([e.x,e.y,e.z]),t?.set([n.w,n.x,n.y,n.z])}function e_(i,t,e){let n=i[6+t],s=i[8+t],r=i[10+t];return[i[t]+s*e.z-r*e.y,i[2+t]+r*e.x-n*e.z,i[4+t]+n*e.y-s*e.x]}function PC(i){let t=new Di({color:"#7f8894",transparent:!0,opacity:.5,depthWrite:!1}),e=new Ie;for(let{group:n,parts:s}of i){let r=new Ie;r.position.copy(n.position),r.quaternion.copy(n.quaternion);for(let{holder:o,shape:a}of s){if(!a.lines)continue;let l=new Qn(a.lines,t);l.matrixAutoUpdate=!1,l.matrix.copy(o.matrix),r.add(l)}e.add(r)}return e}function IC(i){let t=Math.min(Math.max(i,0),1)*(Cu.length-1),e=Math.min(Math.floor(t),Cu.length-2);return Cu[e].clone().lerp(Cu[e+1],t-e)}var NC=.02,LC=1/24;function i_(i){let{store:t,regions:e}=i,n=new Su({record:-1,row:-1,column:-1,output:0,phase:0,playing:!1,pace:.5,amplitude:1,ghost:!0,painted:!1}),s=Jy(n),r=N("div",{id:"linear",className:"linear"}),o=N("section",{id:"chosen",className:"linear","aria-live":"polite"});e.plot.append(r),e.side.prepend(o),e.footer.append(s.element);let a=new Map,l=new Map,c,h=0,u=0;function f(M,y){l.set(M,{...l.get(M)??n_(d(M).finding),...y}),M!==t.state.record&&t.set({record:M});let w=n.state.playing||!matchMedia("(prefers-reduced-motion: reduce)").matches;n.set({record:M,...l.get(M),playing:w})}function d(M){let y=a.get(M);if(y)return y;let w=DC(new bu(i.blocks[M],M),f);return a.set(M,w),w}function p(){let{record:M}=t.state;c?.end(),c=void 0;let y=wu(i.block);if(document.body.classList.toggle("linear-record",y),!y)return i.world?.busy.delete("vibration"),n.set({record:-1,playing:!1});v(),i.world&&(c=new Ru(d(M).finding,i.world));let w=l.get(M)??n_(d(M).finding);l.set(M,w),n.set({record:M,...w}),g()}function v(){if(!wu(i.block))return;let M=[...i.blocks.keys()].filter(y=>wu(i.blocks[y])&&i.blocks[y].head.title===i.block.head.title).map(d);r.replaceChildren(...M.map(({element:y})=>y));for(let y of M)y.element.classList.toggle("current",y.finding.record===t.state.record)}function g(){let{state:M}=n,{finding:y}=d(M.record),w=y.has(M.row,M.column),I=w||y.analysis==="modes"?y.frequencyOf(M.row,M.column):NaN;for(let C of a.values())C.mark(C.finding.record===M.record?M:null,C.finding.title===y.title?I:NaN);if(o.replaceChildren(...Zy(y,M)),!c)return s.say("",!1);h=w?c.factor(M.row,M.column):0,u=w?c.sizes(M.row,M.column).most:0,c.paint(M.row,M.column,M.painted&&h>0),m()}function m(){let{row:M,column:y,phase:w,amplitude:I,ghost:C}=n.state;if(!c)return;let L=h*I;c.ghost.visible=C&&h>0,c.show(M,y,w,L);let{finding:k}=c;s.say(h?OC(k,L,L*u):"no shape to draw",h>0)}n.on((M,y)=>{M.record===t.state.record&&(["record","row","column","output","painted"].some(w=>y.has(w))?g():["phase","amplitude","ghost"].some(w=>y.has(w))&&m(),y.has("playing")&&(i.world?.busy[M.playing?"add":"delete"]("vibration"),M.playing?x():i.redraw()))});let _=0,b=!1;function x(){b||(b=!0,_=performance.now(),requestAnimationFrame(S))}function S(M){if(b=n.state.playing&&h>0,!b)return n.set({playing:!1});let y=Math.min(Math.max(M-_,0),250)/1e3;_=M,n.set({phase:(n.state.phase+y*n.state.pace)%1}),requestAnimationFrame(S)}document.addEventListener("keydown",M=>{if(!document.body.classList.contains("linear-record")||M.ctrlKey||M.altKey||M.metaKey||M.defaultPrevented)return;let y=M.target instanceof HTMLElement?M.target:document.body;if(y.matches("input:not([type=checkbox]):not([type=range]), select, textarea, dialog *"))return;let w=M.key==="ArrowRight"?1:M.key==="ArrowLeft"?-1:0;if(M.key===" "&&!y.matches("button, input, summary, a, [role=tree], [role=treeitem]"))n.set({playing:!n.state.playing});else if(w&&!y.matches("input, [role=application], [role=tree], [role=treeitem], [role=separator]"))n.set({playing:!1,phase:(n.state.phase+w*LC+1)%1});else return;M.preventDefault(),M.stopPropagation()},!0),t.on(["record"],p),t.on(["records"],v),t.on(["theme"],()=>a.forEach(M=>M.redraw())),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>a.forEach(M=>M.redraw())),Object.assign(i,{linear:n}),p()}function n_(i){if(i.analysis==="modes")return{row:0,column:Math.min(i.said.rigid,i.count-1),output:0};if(i.analysis==="campbell")return{row:i.rows>>1,column:0,output:0};let t=i.block.array(i.said.magnitude),e=0;return i.at.forEach((n,s)=>{t[n]>t[i.at[e]]&&(e=s)}),{row:e,column:0,output:0}}function DC(i,t){let{record:e,analysis:n}=i,s=o=>N("section",{className:`linear-result ${n}`,"aria-label":i.name},N("h2",{},FC[n]),o);if(n==="modes"){let o=Ky(i,a=>t(e,{column:a}));return{finding:i,element:s(o.element),redraw:()=>{},mark:(a,l)=>o.mark(a?a.column:-1,a?-1:UC(i,l))}}if(n==="campbell"){let o=Yy(i,(a,l)=>t(e,{row:a,column:l}));return{finding:i,element:s(o.element),redraw:o.redraw,mark:(a,l)=>o.mark(a?a.row:-1,a?a.column:-1,l)}}let r=Xy(i,o=>t(e,{row:o}),(o,a)=>t(e,{column:o,output:a}));return{finding:i,element:s(r.element),redraw:r.redraw,mark(o,a){o&&r.show(o.column,o.output),r.mark(a)}}}var FC={modes:"Modes",campbell:"Campbell diagram",response:"Frequency response"};function UC(i,t){let e=Number.isNaN(t)?-1:i.modeNear(t);return e>=0&&Math.abs(i.frequency[e]-t)<=NC*Math.max(t,1e-300)?e:-1}function OC(i,t,e){let[n,s]=e<1e-4?["µm",1e6]:e<1?["mm",1e3]:["m",1],r=`largest motion drawn: ${Qe(e*Number(s),2)} ${n}`;return i.analysis==="response"?`${r} (${Qe(t,2)} × that of a unit input)`:r}function il(i,t,e){return[Math.max(s_(i,t,!1)-1,0),Math.min(s_(i,e,!0)+1,i.length)]}function s_(i,t,e){let n=0,s=i.length;for(;n<s;){let r=n+s>>1;(e?i[r]>t:i[r]>=t)?s=r:n=r+1}return n}function a_(i,t,e,n){let{left:s,width:r,x:[o,a],y:[l,c],log:h}=e,u=e.top+e.height,f=r/(a-o),d=e.height/(h?Math.log10(c/l):c-l),p=x=>s+(x-o)*f,v=x=>{let S=x*t.factor,M=h?S>0?u-Math.log10(S/l)*d:NaN:u-(S-l)*d;return Math.min(Math.max(M,-1e5),1e5)};i.strokeStyle=i.fillStyle=t.colour,i.lineWidth=1.5*n,i.lineJoin="round",i.setLineDash(t.dash.map(x=>x*n));let[g,m]=t.free?[0,t.x.length]:il(t.x,o,a),_=!t.free&&m-g>4*r;if(t.low!==t.high){let x=_?BC(t,g,m,p):t;return _?o_(i,x,0,x.x.length,p,v):o_(i,x,g,m,p,v)}if(!_)return r_(i,t.x,t.low,g,m,p,v,n);let b=kC(t,g,m,p);return r_(i,b.map(x=>t.x[x]),b.map(x=>t.low[x]),0,b.length,p,v,n)}function r_(i,t,e,n,s,r,o,a){let l=[];i.beginPath();for(let c=n,h=0;c<s;c++){let u=r(t[c]),f=o(e[c]);if(Number.isNaN(u)||Number.isNaN(f)){h=0;continue}h?i.lineTo(u,f):i.moveTo(u,f),h+=1,h===1&&(c+1===s||Number.isNaN(o(e[c+1]))||Number.isNaN(r(t[c+1])))&&l.push([u,f])}i.stroke();for(let[c,h]of l)i.beginPath(),i.arc(c,h,3*a,0,2*Math.PI),i.fill()}function kC({x:i,low:t,high:e},n,s,r){let o=[];for(let a=n;a<s;){let l=Math.floor(r(i[a])),c=a,h=a,u=-1,f=a;for(;a<s&&Math.floor(r(i[a]))===l;a++)(t[a]<t[c]||Number.isNaN(t[c]))&&(c=a),(e[a]>e[h]||Number.isNaN(e[h]))&&(h=a),Number.isNaN(t[a])&&(u=a);for(let d of[...new Set([f,c,h,u,a-1])].sort((p,v)=>p-v))d>=0&&o.push(d)}return o}function BC({x:i,low:t,high:e},n,s,r){let o={x:[],low:[],high:[]};for(let a=n;a<s;){let l=Math.floor(r(i[a])),c=a,h=1/0,u=-1/0;for(;a<s&&Math.floor(r(i[a]))===l;a++)t[a]<h&&(h=t[a]),e[a]>u&&(u=e[a]);o.x.push(.5*(i[c]+i[a-1])),o.low.push(h<=u?h:NaN),o.high.push(h<=u?u:NaN)}return o}function o_(i,t,e,n,s,r){let{x:o,low:a,high:l}=t;for(let c=e;c<n;){let h=c;for(;h<n&&!Number.isNaN(r(a[h]))&&!Number.isNaN(r(l[h]));)h++;if(h>c){i.beginPath();for(let u=c;u<h;u++)i.lineTo(s(o[u]),r(l[u]));for(let u=h-1;u>=c;u--)i.lineTo(s(o[u]),r(a[u]));i.closePath(),i.globalAlpha=.3,i.fill(),i.globalAlpha=1,i.lineWidth/=1.15,i.stroke(),i.lineWidth*=1.15}c=h+1}}function Co(i,t,e,n){let s=1/0,r=-1/0;for(let{x:o,low:a,high:l,factor:c,free:h}of i){let[u,f]=h?[0,o.length]:il(o,t,e);for(let d=u;d<f;d++){let p=a[d]*c,v=l[d]*c;(n?p>0:Number.isFinite(p))&&(s=Math.min(s,p)),(n?v>0:Number.isFinite(v))&&(r=Math.max(r,v))}}return s<=r?[s,r]:null}function l_(i,t,e,n){let[s,r]=Co(i,t,e,n)??(n?[1,10]:[0,1]);if(n)return[Math.max(s/1.5,r*1e-9),r*1.5];let o=2e-6*Math.max(Math.abs(s),Math.abs(r)),a=r-s>o?.06*(r-s):Math.max(Math.abs(r)*.05,o)||1;return[s-a,r+a]}function c_(i,t,e){let[n,s]=l_(i,t[0],t[1],e),r=2.5*10**Math.floor(Math.log10((s-n)/8)),o=e?6:Math.max(...eu([n,s].map(a=>Math.round(a/r)*r),r).map(a=>a.length));return Math.max(38,6.4*o+12)}var Pu=class{constructor(t,e){this.said=e;let n=l_(e.lines,e.x[0],e.x[1],e.log);this.y=n;let{inks:s}=e,r={stroke:s.ink,grid:{stroke:s.grid,width:1},ticks:{stroke:s.grid,width:1,size:4},font:"11px system-ui, sans-serif",labelFont:"11px system-ui, sans-serif"};this.uplot=new xn({width:e.width,height:e.height,legend:{show:!1},pxAlign:0,padding:[8,14,e.xLabel?0:6,0],scales:{x:{time:!1,range:()=>e.x},y:{range:()=>n,distr:e.log?3:1}},axes:[{...r,size:e.xLabel?24:4,label:e.xLabel||void 0,labelSize:16,gap:3,space:70,values:(o,a,l,c,h)=>e.xLabel?eu(a,h,e.xFactor):a.map(()=>"")},{...r,...e.log?{splits:zC,filter:Np,grid:{...r.grid,filter:Np},ticks:{...r.ticks,filter:Np}}:{},size:e.gutter,label:e.yLabel,labelSize:16,gap:4,space:19,values:(o,a,l,c,h)=>e.log?VC(a):eu(a,h)}],series:[{},{paths:()=>null,points:{show:!1}}],cursor:{y:!1,points:{show:!1},drag:{x:!0,y:!1,setScale:!1,dist:4},bind:{dblclick:()=>null}},hooks:{draw:[o=>{this.draw(o.ctx,o.bbox),this.place()}],setSelect:[o=>{let{left:a,width:l}=o.select;o.setSelect({left:0,top:0,width:0,height:0},!1),l>4&&e.zoom(o.posToVal(a,"x"),o.posToVal(a+l,"x"))}],setCursor:[o=>e.hover(this.hovered(o))]}},[[e.x[0],e.x[1]],[n[0],n[1]]],t),this.line=N("div",{className:"now-line"}),this.dots=e.lines.map(({colour:o})=>{let a=N("i",{className:"now-dot"});return a.style.background=o,a}),this.shown=null,this.places=e.lines.map(()=>null),this.uplot.over.append(this.line,...this.dots),this.listen(this.uplot.over)}listen(t){let e=NaN;t.addEventListener("mousedown",n=>{e=n.clientX}),t.addEventListener("click",n=>{n.detail<2&&Math.abs(n.clientX-e)<4&&this.said.pick(this.uplot.posToVal(n.clientX-t.getBoundingClientRect().left,"x"))}),t.addEventListener("dblclick",()=>this.said.all()),t.addEventListener("wheel",n=>{if(ul())return;n.preventDefault();let s=this.uplot.posToVal(n.clientX-t.getBoundingClientRect().left,"x"),r=n.shiftKey||Math.abs(n.deltaX)>Math.abs(n.deltaY),o=Math.max(-1,Math.min(1,(r&&n.deltaX||n.deltaY)/100));r?this.said.wheel(s,1,o*.1):this.said.wheel(s,1.25**o,0)},{passive:!1})}draw(t,e){let{said:n,y:s}=this,r=xn.pxRatio,o={...e,x:n.x,y:s,log:n.log};t.save(),t.beginPath(),t.rect(e.left,e.top,e.width,e.height),t.clip();let a=c=>e.left+(c-n.x[0])/(n.x[1]-n.x[0])*e.width;t.font=`${10.5*r}px system-ui, sans-serif`,t.textBaseline="top",t.textAlign="left";let l=-1/0;for(let c of n.marks){let h=a(c.x);h<e.left||h>e.left+e.width||(t.strokeStyle=t.fillStyle=n.inks.faint,t.lineWidth=r,t.setLineDash([2*r,3*r]),t.beginPath(),t.moveTo(h,e.top),t.lineTo(h,e.top+e.height),t.stroke(),h>l&&(t.fillText(c.text,h+3*r,e.top+1),l=h+t.measureText(c.text).width+8*r))}for(let c of n.lines)a_(t,c,o,r);this.drawPeaks(t,e,a,r),t.restore()}drawPeaks(t,e,n,s){let{said:r,y:o}=this,a=[],l=13*s;t.setLineDash([]);for(let c of r.peaks){let h=n(c.x),u=r.log?Math.log(c.y/o[0])/Math.log(o[1]/o[0]):(c.y-o[0])/(o[1]-o[0]);if(h<e.left||h>e.left+e.width)continue;let f=t.measureText(c.text).width,d=h+5*s+f>e.left+e.width?h-5*s-f:h+5*s,p=Math.max(e.top+l,e.top+e.height*(1-u)-l/2);a.some(v=>d<v.x+v.w+4&&d+f+4>v.x&&Math.abs(p-v.y)<l)||(a.push({x:d,y:p,w:f}),t.fillStyle=c.colour,t.beginPath(),t.arc(h,e.top+e.height*(1-u),2.5*s,0,2*Math.PI),t.fill(),t.fillStyle=r.inks.ink,t.fillText(c.text,d,p))}}hovered(t){let{left:e,top:n}=t.cursor;if(e===void 0||n===void 0||e<0)return"";let{xFactor:s,xUnit:r,yUnit:o}=this.said;return`${bn(t.posToVal(e,"x")*s,5)} ${r}, ${bn(t.posToVal(n,"y"))} ${o}`}now(t,e){this.shown=t,this.places=e,this.place()}place(){let{uplot:t,said:e,shown:n,line:s}=this;s.hidden=n===null||!(n>=e.x[0]&&n<=e.x[1]),n!==null&&!s.hidden&&(s.style.transform=`translateX(${t.valToPos(n,"x")-.75}px)`),this.dots.forEach((r,o)=>{let a=this.places[o];r.hidden=!a||Number.isNaN(a[0]+a[1]),a&&!r.hidden&&(r.style.transform=`translate(${t.valToPos(a[0],"x")}px, ${t.valToPos(a[1],"y")}px)`)})}destroy(){this.uplot.destroy()}};function zC(i,t,e,n){let s=Math.log10(n/e),r=s<.7?[1,1.5,2,3,4,5,6,7,8,9]:s<3?[1,2,5]:[1],o=[];for(let a=Math.floor(Math.log10(e));10**a<=n;a++)for(let l of r)l*10**a>=e&&l*10**a<=n&&o.push(l*10**a);return o}var Np=(i,t)=>t;function VC(i){return i.map(t=>t===null?"":t>=.001&&t<1e5?String(Number(t.toPrecision(3))):xo(t.toExponential(0)))}function Lp(i,t){let e=URL.createObjectURL(i);N("a",{href:e,download:t.replace(/[^\p{L}\p{N}._-]+/gu,"_")}).click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}var h_=i=>`"${(/^[=+\-@\t]/.test(i)?" ":"")+i.replaceAll('"','""')}"`;function u_(i,t){let e=[];for(let{curves:o,lines:a,unit:l}of i.rows)a.forEach((c,h)=>{let u=0,f=c.x.length;if(!c.free){for(;u<f&&c.x[u]<i.x[0];)u+=1;for(;f>u&&c.x[f-1]>i.x[1];)f-=1}let d=e.find(v=>v.x===c.x);d||e.push(d={x:c.x,from:u,to:f,columns:[]});let p=`${o[h].label} (${l||"1"})`;c.low===c.high?d.columns.push({title:p,values:c.low}):d.columns.push({title:`smallest ${p}`,values:c.low},{title:`largest ${p}`,values:c.high})});let n=[e.flatMap(o=>[h_(t),...o.columns.map(a=>h_(a.title))]).join(",")],s=Math.max(0,...e.map(o=>o.to-o.from)),r=(o,a)=>Number.isFinite(o)?String(Number(o.toPrecision(a))):"";for(let o=0;o<s;o++)n.push(e.flatMap(a=>a.from+o<a.to?[r(a.x[a.from+o]/i.xScale,12),...a.columns.map(l=>r(l.values[a.from+o],8))]:Array(a.columns.length+1).fill("")).join(","));return n.join(`\r
`)+`\r
`}function f_(i,t,e,n){let s=[...i.querySelectorAll("canvas")],r=devicePixelRatio,o=16*r,a=Math.max(...s.map(f=>f.width)),l=t.rows.reduce((f,d)=>f+d.curves.length,0),c=N("canvas",{width:a,height:s.reduce((f,d)=>f+d.height,0)+l*o+8*r}),h=c.getContext("2d");h.fillStyle=e,h.fillRect(0,0,c.width,c.height),h.font=`${11*r}px system-ui, sans-serif`,h.textBaseline="middle";let u=4*r;return s.forEach((f,d)=>{for(let{label:p,colour:v,dash:g}of t.rows[d].curves)h.strokeStyle=v,h.lineWidth=2*r,h.setLineDash(g.map(m=>m*r)),h.beginPath(),h.moveTo(60*r,u+o/2),h.lineTo(84*r,u+o/2),h.stroke(),h.fillStyle=n,h.fillText(p,90*r,u+o/2),u+=o;h.drawImage(f,0,u),u+=f.height}),c}function Dp(i,t){i.toBlob(e=>{e&&Lp(e,t)},"image/png")}function Fp(i,t){let e=i.length;if(e!==t.length||e<1||(e&e-1)!==0)throw new Error(`fft: ${e} values; a power of two is needed`);for(let r=1,o=0;r<e;r++){let a=e>>1;for(;o&a;a>>=1)o^=a;o^=a,r<o&&([i[r],i[o]]=[i[o],i[r]],[t[r],t[o]]=[t[o],t[r]])}let n=new Float64Array(e>>1),s=new Float64Array(e>>1);for(let r=0;r<e>>1;r++)n[r]=Math.cos(2*Math.PI*r/e),s[r]=-Math.sin(2*Math.PI*r/e);for(let r=2;r<=e;r*=2){let o=r>>1,a=e/r;for(let l=0;l<e;l+=r)for(let c=0,h=0;c<o;c++,h+=a){let u=l+c,f=u+o,d=i[f]*n[h]-t[f]*s[h],p=i[f]*s[h]+t[f]*n[h];i[f]=i[u]-d,t[f]=t[u]-p,i[u]+=d,t[u]+=p}}}var GC=2**19;function sl(i,t){let e=i.length;if(e<4)throw new Error("too few samples");let n=1;for(;n<8*e&&n<GC;)n*=2;for(;n<e;)n*=2;let s=Float64Array.from({length:e},(h,u)=>.5-.5*Math.cos(2*Math.PI*(u+.5)/e)),r=s.reduce((h,u)=>h+u,0),o=i.reduce((h,u,f)=>h+u*s[f],0)/r,a=new Float64Array(n),l=new Float64Array(n);for(let h=0;h<e;h++)a[h]=(i[h]-o)*s[h];Fp(a,l);let c=n/2;return{x:Float64Array.from({length:c},(h,u)=>u/(n*t)),y:Float64Array.from({length:c},(h,u)=>2*Math.hypot(a[u],l[u])/r)}}var HC=.02;function rl({x:i,y:t},e,n){let s=t.reduce((a,l)=>Math.max(a,l),0),r=[];for(let a=1;a+1<t.length;a++){if(!(t[a]>t[a-1]&&t[a]>=t[a+1]&&t[a]>HC*s))continue;let[l,c,h]=[Math.log(t[a-1]+1e-300),Math.log(t[a]),Math.log(t[a+1]+1e-300)],u=l-2*c+h,f=u<0?.5*(l-h)/u:0;r.push({x:i[a]+f*(i[1]-i[0]),y:Math.exp(c-.25*(l-h)*f)})}r.sort((a,l)=>l.y-a.y);let o=[];for(let a of r){if(o.length>=n)break;o.every(l=>Math.abs(l.x-a.x)>=e)&&o.push(a)}return o}function d_(i,t,e){let n=(i[e-1]-i[t])/(e-1-t);for(let s=t;s+1<e;s++)if(Math.abs(i[s+1]-i[s]-n)>.001*n)return!1;return!0}function Up(i,t,e,n,s){let r=new Float64Array(s),o=i[e],a=(i[n-1]-o)/(s-1);for(let l=0,c=e;l<s;l++){let h=o+l*a;for(;c+2<n&&i[c+1]<=h;)c++;r[l]=WC(i,t,Math.max(e,c-1),Math.min(n,c+3),c,h)}return r}function WC(i,t,e,n,s,r){let o=0;for(let l=e;l<n;l++){let c=1;for(let h=e;h<n;h++)h!==l&&(c*=(r-i[h])/(i[l]-i[h]));o+=c*t[l]}if(Number.isFinite(o))return o;let a=i[s+1]-i[s];return a>0?t[s]+(r-i[s])/a*(t[s+1]-t[s]):t[s]}function p_(i,t,e,n){let s={from:0,to:0},r=0,o=!1,a=1e-9*(n-e);for(let l=0,c=0;l<=i.length;l++){let h=l<i.length&&i[l]>=e-a&&i[l]<=n+a;h&&(r+=1),!(h&&Number.isFinite(t[l]))&&(h&&(o=!0),l-c>s.to-s.from&&(s={from:c,to:l}),c=l+1)}return{...s,gaps:o,inside:r}}var m_=16,g_=6,x_=3,Ro=class extends Error{};function y_(i,t,e){let{time:n,low:s,high:r}=i;if(s!==r)throw new Ro("Samples were left out, so that a spectrum cannot be computed");let o=p_(n,s,t,e);if(o.to-o.from<m_)throw new Error(`A spectrum needs ${m_} samples or more; this window has ${o.to-o.from}.`);let a=["Hann window, mean removed"];return o.gaps&&a.push("only the longest interval without gaps"),{...o,notes:a}}function __(i,t,e){let{time:n,low:s}=i,r=y_(i,t,e),{notes:o}=r,a=r.to-r.from,l=n[r.to-1]-n[r.from];d_(n,r.from,r.to)||o.push("resampled to equal time steps");let c=Up(n,s,r.from,r.to,a),h=sl(c,l/(a-1));return{...h,peaks:rl(h,x_/l,g_),line:1/l,notes:o}}function v_(i,t,e,n){let{time:s,low:r}=i,o=y_(i,e,n),{notes:a}=o,l=o.to-o.from,c=Float64Array.from({length:l},(p,v)=>Ks(t,s[o.from+v])),h=c[l-1]-c[0],u=Math.sign(h);if(!(Math.abs(h)>=1))throw new Error(`${t.of} turns ${Math.abs(h).toPrecision(2)} times in this window; orders need one turn or more.`);for(let p=0;p<l;p++)c[p]*=u;for(let p=0;p+1<l;p++)if(!(c[p+1]>c[p]))throw new Error(`${t.of} stops or reverses in this window: choose a shorter window or another reference.`);a.push("resampled to equal steps of the reference");let f=Up(c,Float64Array.from({length:l},(p,v)=>r[o.from+v]),0,l,l),d=sl(f,Math.abs(h)/(l-1));return{...d,peaks:rl(d,x_/Math.abs(h),g_),line:1/Math.abs(h),notes:a}}function Ks({time:i,turns:t},e){let{i:n,f:s}=Ke(i,e);return s?t[n]+s*(t[n+1]-t[n]):t[n]}var Po="mesh cycles of ";function Op(i){let t=i.head.pairs.filter(s=>s.cycles).map(s=>Po+s.name),e=[...ze(i).values()].filter(({unit:s})=>s==="rad/s"||s==="rad"),n=s=>s==="angular_speed"?0:s.startsWith("angular_velocity")?1:s==="angle"||s.startsWith("psi")?2:3;return[...t,...e.sort((s,r)=>n(s.own)-n(r.own)).map(({name:s})=>s)]}function kp(i,t){let e=i.head.pairs.find(n=>n.name===t);return e?.cycles?{time:i.time,turns:Float64Array.from(i.float(e.cycles)),of:`the mesh ${t}`}:void 0}function M_({time:i,low:t},e,n){let s=new Float64Array(i.length);for(let r=0;r<s.length;r++)e==="rad"?s[r]=t[r]/(2*Math.PI):r&&(s[r]=s[r-1]+(t[r]+t[r-1])*(i[r]-i[r-1])/(4*Math.PI));return{time:i,turns:s,of:n}}var js=new Float64Array(0),XC=5;function Bp(i){let t=new Map;for(let e of i)t.set(e.unit,[...t.get(e.unit)??[],e]);return[...t]}function zp(i,t,e,n,s){let[r,o]=Co(n,s[0],s[1],!1)??[0,0],a=dr(t,Math.max(Math.abs(r),Math.abs(o)),i.store.state.degrees);for(let d of n)d.factor=a.factor;let l=new Set(e.map(d=>ze(i.blocks[d.record]).get(d.name)?.own??d.name)),c=new Set(e.map(d=>d.name)),h=c.size===1?[...c][0]:l.size===1?[...l][0]:"",u=l.size===1?[...l][0]:"",f=[h,u].filter(Boolean).map(d=>a.unit?`${d} (${a.unit})`:d);return{unit:t,shown:a,labels:f,curves:e,lines:n,peaks:[],said:[]}}function b_(i,t,e,n,s){let r=mi(i.block),{unit:o,factor:a}=Qh(n[1]-n[0],r);return{rows:Bp(t).map(([c,h])=>zp(i,c,h,h.map(u=>{let{time:f,low:d,high:p}=e.get(Si(u.record,u.name))??{time:js,low:js,high:js};return{x:f,low:d,high:p,factor:1,colour:u.colour,dash:u.dash}}),n)),x:n,whole:s,xLabel:`${r.label} (${o})`,xUnit:o,xFactor:a,xScale:1,marks:[],notes:[]}}function w_(i,t,e,n){let{over:s,degrees:r}=i.store.state,o=i.blocks.map(v=>ze(v).get(s)?.unit).find(v=>v!==void 0)??"",a=1/0,l=-1/0,c=[];for(let{record:v}of t){let g=e.get(Si(v,s));if(!g)continue;let[m,_]=il(g.time,n[0],n[1]);for(let b=m;b<_;b++)g.low[b]<a&&(a=g.low[b]),g.high[b]>l&&(l=g.high[b]);g.low!==g.high&&c.push("samples were left out: middles of smallest and largest values are drawn; zoom in for all samples")}a<=l||([a,l]=[0,1]);let h=dr(o,Math.max(Math.abs(a),Math.abs(l)),r),u=.03*(l-a)||Math.abs(l)*.05||1,f=[(a-u)*h.factor,(l+u)*h.factor],d=(v,g,m,_)=>Float64Array.from({length:Math.max(m-g,0)},(b,x)=>.5*(v.low[g+x]+v.high[g+x])*_);return{rows:Bp(t).map(([v,g])=>zp(i,v,g,g.map(m=>{let _=e.get(Si(m.record,m.name)),b=e.get(Si(m.record,s)),x={x:js,low:js,high:js,factor:1,colour:m.colour,dash:m.dash,free:!0};if(!_||!b)return x;let[S,M]=il(_.time,n[0],n[1]),y=d(_,S,M,1);return{...x,x:d(b,S,M,h.factor),low:y,high:y}}),f)),x:f,whole:f,xLabel:h.unit?`${s} (${h.unit})`:s,xUnit:h.unit,xFactor:1,xScale:h.factor,marks:[],notes:[...new Set(c)]}}function S_(i,t,e,n,s){let{plot:r,reference:o}=i.store.state,a=mi(i.block),{unit:l,factor:c}=Qh(n[1]-n[0],a),h=a.unit==="s"?"Hz":`1/${a.unit}`,u=new Set,f=new Map;for(let S of t){let M=e.get(Si(S.record,S.name));try{if(!M)throw new Error("There are no samples.");let y=r==="spectrum"?__(M,n[0],n[1]):v_(M,A_(i,S.record,o,e),n[0],n[1]);f.set(S,y);for(let w of y.notes)u.add(w);u.add(r==="spectrum"?`lines ${Wa(y.line,h)} apart`:`lines ${bn(y.line)} orders apart`)}catch(y){let w=y instanceof Ro?i.source.live?": zoom in":": open the result file with `pitchline view`":"";u.add((y instanceof Error?y.message:String(y))+w)}}f.size&&u.add(`of ${bn(n[0]*c)} to ${bn(n[1]*c)} ${l}`);let d=$C(i,t,e,n),p=Math.max(0,...[...f.values()].map(S=>S.x[S.x.length-1])),v=Math.max(0,...[...f.values()].map(S=>S.line*40),...d.slice(0,3).map(S=>S.x*1.15),...[...f.values()].flatMap(S=>S.peaks.map(M=>M.x*1.25))),g=[0,p||1],m=s?[s[0],s[1]]:[0,Math.min(g[1],v||g[1])],_=dr(h,m[1]),b=Bp(t).map(([S,M])=>{let y=zp(i,S,M,M.map(I=>{let C=f.get(I),L=C?.y??js;return{x:C?.x??js,low:L,high:L,factor:1,colour:I.colour,dash:I.dash}}),m),w=I=>r==="spectrum"?Wa(I,h):bn(I);return y.peaks=M.flatMap(I=>(f.get(I)?.peaks??[]).map(C=>({x:C.x,y:C.y*y.shown.factor,colour:I.colour,text:w(C.x)}))).sort((I,C)=>C.y-I.y),y.said=M.map(I=>{let C=f.get(I)?.peaks[0];return C?`${bn(C.y*y.shown.factor)} ${y.shown.unit}, ${w(C.x)}`.replace(" ,",","):"—"}),y.labels=[y.shown.unit?`amplitude (${y.shown.unit})`:"amplitude"],y}),x=r==="spectrum"?`frequency (${_.unit})`:o.startsWith(Po)?`order, per ${o.replace(Po,"mesh cycle of ")}`:`order, per revolution by ${o}`;return{rows:b,x:m,whole:g,xLabel:x,xUnit:r==="spectrum"?_.unit:"",xFactor:r==="spectrum"?_.factor:1,xScale:1,marks:d,notes:[...u]}}function A_(i,t,e,n){let s=i.blocks[t],r=e.startsWith(Po)?kp(s,e.slice(Po.length)):void 0;if(r)return r;let o=n.get(Si(t,e)),a=ze(s).get(e);if(!o||!a)throw new Error(e?`${s.head.name} has no "${e}" to count orders by.`:"Choose the reference of the orders: a speed, an angle or a mesh.");if(o.low!==o.high)throw new Ro("Samples were left out, so that orders cannot be computed");return M_(o,a.unit,e)}function qC(i,t,e){let[n,s]=[Ke(i.time,t).i,Ke(i.time,e).i],r=0;for(let a=n;a<s;a++)r+=Math.abs(i.turns[a+1]-i.turns[a]);let o=Math.abs(Ks(i,e)-Ks(i,t));return o>=1&&r<=1.05*o+.5}function $C(i,t,e,n){let{plot:s,reference:r}=i.store.state,o=[];for(let a of new Set(t.map(l=>l.record))){let l=i.blocks[a],c=Math.max(n[0],l.time[0]??0),h=Math.min(n[1],l.time[l.time.length-1]??0);if(h>c)for(let u of l.head.pairs){let f=kp(l,u.name);if(!f||!qC(f,c,h))continue;let d=Math.abs(Ks(f,h)-Ks(f,c));try{let p=s==="orders"?A_(i,a,r,e):void 0;d/=p?Math.abs(Ks(p,h)-Ks(p,c)):h-c}catch{continue}d>0&&Number.isFinite(d)&&o.length<6&&!o.some(p=>Math.abs(p.x-d)<.005*d)&&o.push({x:d,text:u.name})}}return o.flatMap(({x:a,text:l})=>Array.from({length:o.length>2?1:XC},(c,h)=>({x:(h+1)*a,text:h?`${h+1}×`:`${l} 1×`}))).sort((a,l)=>a.x-l.x)}function T_(i,t,e,n){let s=i.get(Si(t.record,e)),r=i.get(Si(t.record,t.name));if(!s||!r||!s.time.length||n<s.time[0]||n>s.time[s.time.length-1])return null;let{i:o,f:a}=Ke(s.time,n),l=c=>{let h=.5*(c.low[o]+c.high[o]);return a?h+a*(.5*(c.low[o+1]+c.high[o+1])-h):h};return{x:l(s),y:l(r)}}var E_=[["time","Time"],["over","Over signal"],["spectrum","Spectrum"],["orders","Orders"]];function C_(i,t){let{store:e}=i,n=E_.map(([x,S])=>N("button",{type:"button",id:`plot-${x}`,onclick:()=>e.set({plot:x})},S)),s=N("datalist",{id:"plot-names"}),r=N("input",{id:"over-signal",type:"search",placeholder:"horizontal: a signal","aria-label":"Signal on the horizontal axis",onchange:m});r.setAttribute("list","plot-names");let o=N("input",{id:"order-reference",type:"search",placeholder:"counted by: speed, angle or mesh","aria-label":"Reference of the orders",onchange:m});o.setAttribute("list","plot-names");let a=(x,S,M)=>{let y=N("input",{type:"checkbox",id:`plot-${x}`,onchange:()=>e.set({[x]:y.checked})});return{box:y,label:N("label",{title:M},y,S),key:x}},l=[a("overlay","all records","Draw the same signals of all records, each with its own line style"),a("degrees","rpm, °","Angular velocities in rpm, angles in degrees"),a("log","log","Logarithmic vertical axes")],c=N("button",{type:"button",id:"zoom-back",title:"Previous range",onclick:t.back},"Back"),h=N("button",{type:"button",id:"zoom-all",title:"Show all (double click)",onclick:t.all},"All"),u=N("output",{id:"plot-hover","aria-label":"Position of the pointer"}),f=N("span",{id:"plot-note",role:"status"}),d=N("button",{type:"button",id:"save-csv",title:"Save the visible curves as a table (CSV)",onclick:t.csv},"CSV"),p=N("button",{type:"button",id:"save-png",title:"Save the charts as a picture (PNG)",onclick:t.png},"PNG"),v=N("button",{type:"button",id:"save-view",title:"Save the 3D view as a picture (PNG)",onclick:t.view},"3D PNG");v.hidden=!i.world;let g=N("div",{id:"plot-bar",role:"toolbar","aria-label":"Plot"},N("span",{className:"choice",role:"group","aria-label":"Drawn over"},...n),r,o,s,...l.map(x=>x.label),c,h,u,f,d,p,v);function m(){for(let x of[r,o]){let S=x===r?"over":"reference",M=x.value===""||_(S).includes(x.value);x.setAttribute("aria-invalid",String(!M)),M&&e.set({[S]:x.value})}}let _=x=>x==="over"?[...ze(i.block).keys()]:Op(i.block);function b(){let{plot:x,records:S}=e.state;n.forEach((y,w)=>y.setAttribute("aria-pressed",String(E_[w][0]===x))),r.hidden=x!=="over",o.hidden=x!=="orders";for(let{box:y,label:w,key:I}of l)y.checked=e.state[I],w.hidden=I==="overlay"&&S<2;let M=`${x} ${e.state.record}`;(x==="over"||x==="orders")&&s.dataset.of!==M&&(s.dataset.of=M,s.replaceChildren(..._(x==="over"?"over":"reference").map(y=>new Option(y,y)))),r.value=e.state.over,o.value=e.state.reference}return e.on(["plot"],({plot:x})=>{x==="orders"&&!e.state.reference&&e.set({reference:Op(i.block)[0]??""}),x==="over"&&!e.state.over&&e.set({over:ze(i.block).keys().next().value??""})}),e.on(["plot","records","record","log","degrees","overlay","over","reference"],b),b(),{bar:g,hover:u,note:f,back:c}}var ol=class{constructor(t,e){this.get=t,this.set=e,this.before=[],this.last=0}to(t,e=!1){let n=performance.now();(!e||n-this.last>600)&&this.before.push(this.get()),this.last=e?n:0,this.before.length>100&&this.before.shift(),this.set(t)}back(){let t=this.before.pop();t!==void 0&&this.set(t)}wheel(t,e,n,s,r){let o=t[1]-t[0],a=e[1]-e[0],l=1e-9*Math.max(a,Math.abs(e[0]),Math.abs(e[1])),c=n-(n-t[0])*s+r*o,h=n+(t[1]-n)*s+r*o;if(!(h-c<l)){if(h-c>=a)return this.to(null,!0);c<e[0]&&([c,h]=[e[0],h+e[0]-c]),h>e[1]&&([c,h]=[c-(h-e[1]),e[1]]),this.to([c,h],!0)}}};var R_=56,P_=36,YC=[220,310],ZC=1e-12,JC=60;function N_(i){let{store:t,source:e,regions:n}=i,s=new nu,r=N("div",{id:"charts",tabIndex:0,role:"group","aria-label":"Curves. Arrow up: zoom in about the time; arrow down: zoom out; Backspace: back; 0: all"}),o=null,a=new ol(()=>t.state.range,F=>t.set({range:F})),l=new ol(()=>o,F=>{o=F,M()}),c=()=>t.state.plot==="spectrum"||t.state.plot==="orders",h=()=>c()?l:a,u=Object.fromEntries(["ink","faint","grid","back"].map(F=>[F,N("i",{className:`probe ${F}`,hidden:!0})])),f=F=>getComputedStyle(u[F]).color,d=F=>`${i.block.head.title} ${i.block.head.name} ${t.state.plot}.${F}`,p=C_(i,{back:()=>h().back(),all:()=>h().to(null),csv:()=>{g&&Lp(new Blob([u_(g,jC(i,g))],{type:"text/csv"}),d("csv"))},png:()=>{g?.rows.length&&Dp(f_(r,g,f("back"),f("ink")),d("png"))},view:()=>{i.world.draw(),Dp(i.world.canvas,`${i.block.head.title} ${i.block.head.name}.png`)}}),{note:v}=p;n.plot.append(p.bar,r,...Object.values(u));let g,m=[],_=new Map,b=[];function x(){let F=[...new Set(m.map(X=>X.record))].map(X=>Nn(i.blocks[X])),E=Math.min(...F.map(X=>X.from)),z=Math.max(...F.map(X=>X.to));return E<z?[E,z]:Number.isFinite(E)?[E-.5,E+.5]:[0,1]}let S=0;async function M(){let F=S+=1,E=QC(f("back"))<.5;m=K0(i,s,E);let z=x(),{range:X,plot:V,over:rt,reference:Y}=t.state,K=X?[...X]:z;if(e.live&&(await new Promise(at=>setTimeout(at,JC)),F!==S))return;let et=V==="over"?rt:V==="orders"?Y:"",ht=m.flatMap(at=>[at,{record:at.record,name:et}]).filter(({record:at,name:Q})=>ze(i.blocks[at]).has(Q));try{let at=V==="time"?Math.max(Math.round(n.plot.clientWidth*devicePixelRatio),400):1/0,Q=await j0(i,ht,K[0],K[1],at);if(F!==S)return;_=Q,g=V==="time"?b_(i,m,_,K,z):V==="over"?w_(i,m,_,K):S_(i,m,_,K,o),y()}catch(at){if(F!==S)return;w([at instanceof Error?at.message:String(at)])}}function y(){for(let{chart:dt}of b)dt?.destroy();if(b=[],r.replaceChildren(),!g||!r.clientWidth)return;let{rows:F,notes:E,x:z,xLabel:X,xFactor:V,marks:rt}=g,Y=F.some(dt=>dt.lines.some(_t=>_t.x.length>1)),K=Y||!F.length||c()?"":i.block.head.samples===0?I_(i):"Only one sample: values without a curve.",et=t.state.log&&!c()&&F.some(dt=>(Co(dt.lines,z[0],z[1],!1)?.[0]??1)<=0)?"zero and negative values are not drawn":"";w([K,...E,et]),F.length||r.append(N("p",{className:"none"},I_(i))),p.back.disabled=!h().before.length;let ht=r.clientWidth,at=ht>=640&&Y,Q=YC[ht>=1100?1:0],gt=Math.max(R_,Math.floor((r.clientHeight-P_-2)/Math.max(F.length,1))),xt=Math.max(...F.map(dt=>c_(dt.lines,z,t.state.log)));F.forEach((dt,_t)=>{let Gt=_t===F.length-1,jt=dt.curves.map((xe,we)=>N("output",{className:"value"},dt.said[we]??"")),Ut=N("ul",{className:"plot-legend","aria-label":`Curves in ${dt.shown.unit||"no unit"}`},...dt.curves.map((xe,we)=>C(xe,jt[we]))),ae=N("div",{className:"plot-chart"});if(r.append(N("div",{className:at?"plot-row side-legend":"plot-row"},at?ae:Ut,at?Ut:ae)),!Y)return b.push({chart:null,values:jt});at&&(Ut.style.maxHeight=`${gt}px`,Ut.style.width=`${Q}px`);let le=Math.max(R_,at?gt:gt-Ut.offsetHeight),ie=new Pu(ae,{width:at?ht-Q:ht,height:le+(Gt?P_:0),x:z,xLabel:Gt?X:"",xFactor:V,xUnit:g?.xUnit??"",yUnit:dt.shown.unit,yLabel:dt.labels.find(xe=>xe.length*6<le)??dt.shown.unit,log:t.state.log,gutter:xt,lines:dt.lines,marks:rt,peaks:dt.peaks,inks:{ink:f("ink"),faint:f("faint"),grid:f("grid")},pick:xe=>{t.state.plot==="time"&&I(xe)},zoom:(xe,we)=>{t.state.plot!=="over"&&h().to([xe,we])},all:()=>h().to(null),wheel:(xe,we,tn)=>{g&&t.state.plot!=="over"&&h().wheel(g.x,g.whole,xe,we,tn)},hover:xe=>{p.hover.textContent=xe}});return b.push({chart:ie,values:jt})}),!Y&&F.length&&r.append(N("p",{className:"none"},[K,...E].filter(Boolean).join(" "))),L()}function w(F){v.textContent=v.title=F.filter(Boolean).join("; ")}function I(F){let{from:E,to:z}=Nn(i.block);t.set({playing:!1,time:Math.min(Math.max(F,E),z)})}function C(F,E){let z=N("i",{className:`swatch dash${F.style}`});z.style.borderColor=F.colour;let X=Xn("close",`Remove ${F.name} from the plot`,()=>t.set({curves:t.state.curves.filter(V=>V.name!==F.name)}),{className:"tool remove"});return N("li",{title:`${F.label}: ${F.description}`},z,N("span",{className:"name"},N("span",{},F.name),N("span",{className:"of"},F.label.slice(F.name.length))),E,X)}function L(){let{time:F,plot:E,over:z}=t.state;if(!g||!b.length)return;let{xScale:X}=g;g.rows.forEach((V,rt)=>{let{chart:Y,values:K}=b[rt];Y?.now(E==="time"?F:null,V.curves.map(et=>{let ht=E==="over"?T_(_,et,z,F):null;return ht&&[ht.x*X,ht.y*V.shown.factor]})),V.curves.forEach((et,ht)=>{V.said.length||(K[ht].textContent=KC(Wd(i,et.record,et.name,F),V.shown))})})}t.on(["curves","overlay","range","plot","over","reference","log","degrees","theme","records"],M),t.on(["record"],({record:F,curves:E})=>{let z=ze(i.block),{range:X}=t.state,{from:V,to:rt}=Nn(i.block),Y=E.map(K=>z.has(K.name)?{record:F,name:K.name}:K);t.set({curves:Y.some(K=>K.record===F)?Y:[...Y,...Yd(i,F)],range:X&&X[0]<rt&&X[1]>V?X:null})});let k=()=>n.panels.nothingToPlot(i.blocks.every(({head:F})=>F.kind==="built"));t.on(["records"],k),k(),t.on(["plot"],()=>{o=null,l.before=[]}),t.on(["range","curves","reference"],()=>{o=null}),t.on(["time","arrived"],L),r.addEventListener("keydown",F=>{let E=F.key==="ArrowUp"?.8:F.key==="ArrowDown"?1.25:0;if(E&&g&&t.state.plot!=="over"){let[z,X]=g.x,{time:V}=t.state,rt=c()?z:V>=z&&V<=X?V:.5*(z+X);h().wheel(g.x,g.whole,rt,E,0)}else if(F.key==="Backspace")h().back();else if(F.key==="0")h().to(null);else return;F.preventDefault(),F.stopPropagation()}),new ResizeObserver(()=>M()).observe(r),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",M),Object.assign(i,{plotted:{figure:()=>g,charts:()=>b.map(({chart:F})=>F),maths:{fft:Fp,amplitudes:sl,peaksOf:rl}}})}function KC(i,{unit:t,factor:e}){if(!i)return"—";let[n,s]=i.map(o=>t&&Math.abs(o*e)<ZC?0:o*e),r=n===s||Number.isNaN(n)?bn(n):`${bn(n)} … ${bn(s)}`;return t?`${r} ${t}`:r}function jC(i,t){let{plot:e,over:n}=i.store.state,s=mi(i.block);return e==="time"?`${s.label} (${s.unit})`:e==="spectrum"?s.unit==="s"?"frequency (Hz)":`frequency (1/${s.unit})`:e==="over"?`${n} (${ze(i.block).get(n)?.unit||"1"})`:t.xLabel}function I_(i){let{head:t}=i.block;return t.signals.length?t.samples===0?"The run has no samples to plot.":"Select signals in the list to plot them.":t.kind==="built"?"The model was not run. There are no signals to plot.":"This record has no signals over time."}function QC(i){let[t,e,n]=(i.match(/[\d.]+/g)??["255","255","255"]).map(Number);return(.2126*t+.7152*e+.0722*n)/255}function L_(i,t){let{store:e,regions:n}=i,s=r=>document.getElementById(r)?.click();document.addEventListener("keydown",r=>{if(r.defaultPrevented||r.ctrlKey||r.metaKey||r.altKey||document.querySelector("dialog[open]"))return;let o=r.target instanceof HTMLElement?r.target:document.body,a=o.id==="time";if(!a&&o.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select")){r.key==="Escape"&&o.blur();return}let l=r.key==="ArrowRight"?1:r.key==="ArrowLeft"?-1:0;if(l&&(a||!o.matches("[role=tree], [role=treeitem], [role=separator], [role=slider], input")))(r.shiftKey?t.mesh:t.sample)(l);else if(r.key===" "&&!o.matches("button, input:not(#time), summary, a, [role=tree], [role=treeitem]"))t.play();else if(r.key==="Home"&&!o.matches("[role=tree], [role=treeitem]"))t.ends(-1);else if(r.key==="End"&&!o.matches("[role=tree], [role=treeitem]"))t.ends(1);else if(r.key==="+"||r.key==="=")t.speed(1);else if(r.key==="-"||r.key==="−")t.speed(-1);else if(r.key==="Escape")e.set({selected:""});else if(r.key==="?")s("show-help");else if(r.key==="/")n.panels.set("side",!0),document.getElementById("find")?.focus();else return;r.preventDefault()})}var D_=.25,tR=60,eR=.001,nR=8,iR=60;function Vp(i){let{head:t,time:e}=i,n=new Float64Array(Math.max(e.length-1,0)),s=(r,o)=>{let a=e[r+1]-e[r];!(a>0)||!(Math.abs(o)>eR)||(n[r]=Math.max(n[r],Math.abs(o)/a))};for(let r of t.pairs){if(!r.cycles)continue;let o=i.float(r.cycles);for(let a=0;a<n.length&&a+1<o.length;a++)s(a,o[a+1]-o[a])}for(let r of t.bodies){let o=Math.max(0,...r.parts.map(l=>t.shapes[l.shape]).map(l=>l?.type==="turned"?l.count:0)),a=o&&r.turn?i.float(r.turn):null;if(!(!a||a.length<4*e.length))for(let l=0;l<n.length;l++){let c=4*l,h=a[c],u=a[c+1],f=a[c+2],d=a[c+3],p=a[c+4],v=a[c+5],g=a[c+6],m=a[c+7],_=Math.hypot(h*v-u*p-f*m+d*g,h*g-f*p-d*v+u*m,h*m-d*p-u*g+f*v);s(l,o*Math.asin(Math.min(_,1))/Math.PI)}}return n}function F_(i,t,e,n){let{time:s}=i,r=D_,o=e;for(let{i:a}=Ke(s,e);a<t.length&&o<n;a++){let l=Math.min(s[a+1],n),c=t[a]*Math.max(l-o,0);if(c>=r)return o+r/t[a];r-=c,o=Math.max(l,o)}return n}function U_(i,t){let{from:e,to:n}=Nn(i);if(!(n>e))return 1;let s=Math.max(Math.min(1,(n-e)/nR),(n-e)/iR),r=t.reduce((o,a)=>Math.max(o,a),0);return O_(r>0?Math.min(s,D_*tR/r):s,-1)}function O_(i,t){let e=10**Math.floor(Math.log10(i)+1e-9),n=[1,2,5,10].map(r=>r*e),s=t>0?n.find(r=>r>=i*(1-1e-9)):n.findLast(r=>r<=i*(1+1e-9));return Number((s??e).toPrecision(3))}function k_(i,t){return Math.min(Math.max(O_(t>0?i*1.01:i/1.01,t),1e-9),1e4)}function Gp(i,t){let e=i.head.pairs.filter(n=>n.cycles);return e.find(n=>n.name===t)??e.find(n=>[n.wheel_a,n.wheel_b,n.body_a,n.body_b].includes(t))??e[0]}function B_(i,t,e,n){let{from:s,to:r}=Nn(i),{time:o}=i,a=Gp(i,t),l=n>0?r:s;if(!a?.cycles)return l;let c=i.float(a.cycles),{i:h,f:u}=Ke(o,e),f=u?c[h]+u*(c[h+1]-c[h]):c[h];for(let d=n>0?h+1:u>0?h:h-1;d>=0&&d<o.length;d+=n){let p=Math.min(Math.max(d-n,0),o.length-1),v=c[d]-f;if(Math.abs(v)<1-1e-6)continue;let m=(f+Math.sign(v)-c[p])/(c[d]-c[p]);return o[p]+m*(o[d]-o[p])}return l}function z_(i,t,e){let{time:n}=i,{from:s,to:r}=Nn(i),o=1e-9*(r-s);return e>0?n.find(a=>a>t+o)??r:n.findLast(a=>a<t-o)??s}var sR=.25,rR=2;function V_(i){let{store:t,regions:e}=i,n={play:()=>{x()&&t.set({playing:!t.state.playing})},sample:k=>S(z_(i.block,t.state.time,k)),mesh:k=>{o.disabled||S(B_(i.block,t.state.selected,t.state.time,k))},ends:k=>S(k>0?m.to:m.from),speed:k=>{x()&&(g=!0,t.set({rate:k_(t.state.rate,k)}))}},s=Xn("play","Play (space)",n.play,{id:"play"}),r=Xn("meshBack","",()=>n.mesh(-1),{id:"mesh-back"}),o=Xn("meshNext","",()=>n.mesh(1),{id:"mesh-next"}),a=Xn("back","Previous sample (←)",()=>n.sample(-1),{id:"back"}),l=Xn("next","Next sample (→)",()=>n.sample(1),{id:"next"}),c=N("input",{id:"time",type:"range",step:"any","aria-label":"Time",oninput:()=>t.set({time:Number(c.value)})}),h=N("output",{id:"now","aria-label":"Time"}),u=Xn("loop","Repeat",()=>t.set({loop:!t.state.loop}),{id:"loop","aria-pressed":"false"}),f=N("input",{id:"rate",type:"text",inputMode:"decimal",size:6,title:"Playback speed, such as 0.01 or 1/100","aria-label":"Factor of speed",onchange:M,onkeydown:k=>{k.key==="Escape"&&y()}}),d=N("output",{id:"factor"}),p=N("span",{id:"still"}),v=N("span",{id:"speed"},f,"×",d);e.footer.append(N("span",{className:"steps",role:"group","aria-label":"Play and steps"},r,a,s,l,o),c,h,p,v,u);let g=!1,m=Nn(i.block),_=Vp(i.block),b=0,x=()=>m.to>m.from;function S(k){t.set({playing:!1,time:Math.min(Math.max(k,m.from),m.to)})}function M(){let[k,F]=f.value.replace(",",".").replace("−","-").replace(/[×x\s]/g,"").split("/").map(Number),E=F===void 0?k:k/F;E>=1e-9&&E<=1e4&&(g=!0,t.set({rate:E})),f.value=tu(t.state.rate)}function y(){let{time:k,rate:F,loop:E,playing:z}=t.state;c.value=String(k);let X=kd(k,Math.max(Math.abs(m.from),Math.abs(m.to)),mi(i.block));h.textContent=X,c.setAttribute("aria-valuetext",X),document.activeElement!==f&&(f.value=tu(F));let V=z&&b>0&&b<.95*F;d.textContent=V?`shown at ${tu(b)} ×`:`1 s = ${kd(F,F,mi(i.block)).replace(/\.?0+ /," ")}`,d.title=V?"The display is too slow for the chosen speed. The run is shown slower, so that no tooth moves by more than a quarter of its pitch between two frames.":"Time of the run that is shown per second.",d.classList.toggle("held",V),u.setAttribute("aria-pressed",String(E))}function w(){m=Nn(i.block),_=Vp(i.block),c.min=String(m.from),c.max=String(m.to);for(let E of[s,a,l,c,u,f])E.disabled=!x();v.hidden=u.hidden=!x();let{head:k}=i.block;p.textContent=x()?"":k.kind==="built"?"as built, no motion":k.samples===0?"no sample: the run failed before the first sample":"one sample, no motion",p.hidden=x();let F=Math.min(Math.max(t.state.time,m.from),m.to);t.set({rate:g?t.state.rate:U_(i.block,_),time:F,playing:t.state.playing&&x()}),I(),y()}function I(){let k=Gp(i.block,t.state.selected);for(let[F,E]of[[r,"back (Shift + ←)"],[o,"on (Shift + →)"]])F.disabled=!k||!x(),F.title=k?`One mesh period of ${k.name} ${E}`:"No gear pair whose mesh periods are known",F.setAttribute("aria-label",F.title)}let C=0;function L(k){let{playing:F,rate:E,time:z,loop:X}=t.state;if(!F)return;let V=(k-C)/1e3,rt=Math.min(Math.max(V,0),sR);if(C=k,rt>0){let Y=F_(i.block,_,z,z+rt*E);V<rR&&(b=b?.9*b+.1*((Y-z)/V):(Y-z)/V),Y<m.to?t.set({time:Y}):X?t.set({time:m.from}):t.set({time:m.to,playing:!1})}requestAnimationFrame(L)}return t.on(["time","rate","loop"],y),t.on(["rate"],()=>{b=0}),t.on(["selected"],I),t.on(["record"],w),t.on(["playing"],({playing:k,time:F})=>{s.replaceChildren(Bo(k?"pause":"play")),s.title=k?"Pause (space)":"Play (space)",s.setAttribute("aria-label",s.title),b=0,y(),k&&(F>=m.to&&t.set({time:m.from}),C=performance.now(),requestAnimationFrame(L))}),w(),n}var Hp=class{constructor(t,e,n){this.source=t,this.regions=e,this.blocks=n;let s=Math.max(n.map(Nn).findIndex(({from:r,to:o})=>o>r),0);this.store=new dl({record:s,records:n.length,time:Nn(n[s]).from,playing:!1,rate:1,loop:!1,selected:"",hidden:new Set,clear:new Set,look:S0,effects:w0,curves:[],overlay:!0,range:null,plot:"time",over:"",reference:"",log:!1,degrees:!1,arrived:0,theme:oR()}),this.frames=0,this.waiting=!1,this.world=void 0,this.effects=void 0;try{this.world=new Kh(e.canvas,this),this.effects=new vh(this),this.world.show()}catch(r){e.view.replaceChildren(G_(r)),console.error(r)}}get block(){return this.blocks[this.store.state.record]}add(t){return this.blocks.push(t),this.store.set({records:this.blocks.length}),this.blocks.length-1}redraw(){this.waiting||(this.waiting=!0,requestAnimationFrame(()=>{this.waiting=!1,this.world?.draw(),this.frames+=1,document.documentElement.dataset.frames=String(this.frames),document.documentElement.dataset.ready=this.world?"yes":"flat"}))}};function G_(i){return N("p",{id:"failure",role:"alert"},i instanceof Error?i.message:String(i))}function oR(){let{theme:i}=document.documentElement.dataset;return i==="light"||i==="dark"?i:"system"}async function aR(){let i=await xm(),t=await i.records();if(!t.length)throw new Error("This page contains no record. Write the page again.");let e=await Promise.all(t.map((r,o)=>i.block(o))),n=new Hp(i,hm(),e);tx(n),n.world&&(ax(n),P0(n),Y0(n)),mx(n),fx(n);let s=V_(n);N_(n),i_(n),L_(n,s),ox(n),Object.assign(globalThis,{pitchlineView:n}),n.redraw()}aR().catch(i=>{throw document.documentElement.dataset.ready="failed",document.body.prepend(G_(i)),i});export{Hp as App};
